import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates an empty folder that is deleted when the calling test or suite ends. */
export async function temporaryFolder(
  finished: (cleanUp: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-test-'));
  finished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
