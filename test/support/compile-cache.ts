import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;

/** Shares V8's compile cache among all servers of a run. A run starts hundreds of servers, and compiling is a large part of each start. */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-test-code-'));
  process.env.NODE_COMPILE_CACHE = folder;
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
