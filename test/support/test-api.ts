import { onTestFinished } from 'vitest';
import type { BodyPatience } from '../../src-main/http/bodies.ts';
import { startHttpServer } from '../../src-main/http/server.ts';
import { Api } from './api.ts';
import { localModels } from './compute.ts';
import { sharedCompute } from './shared-compute.ts';
import { silentLog } from './silent-log.ts';
import { createTestCore, type TestCore } from './test-core.ts';

export interface TestApi extends TestCore {
  api: Api;
}

/** Starts a core in this process and the API over it. Takes the options of {@link createTestCore}. */
export async function startTestApi(
  options: Parameters<typeof createTestCore>[0] & { bodyPatience?: BodyPatience; rendererFolder?: string } = {},
): Promise<TestApi> {
  const { finished = onTestFinished } = options;
  const test = await createTestCore(options);
  const http = await startHttpServer({
    core: test.core,
    log: silentLog,
    port: 0,
    temporaryFolder: test.core.temporaryFolder,
    rendererFolder: options.rendererFolder ?? null,
    allowedOrigins: () => test.core.allowedOrigins(),
    embedOrigins: () => test.core.embedOrigins(),
    metrics: test.core.metrics,
    ...(options.bodyPatience && { bodyPatience: options.bodyPatience }),
  });
  finished(() => http.close());
  return { ...test, api: new Api(http.baseUrl) };
}

/** Opens a data folder in this process with real compute processes and the API over it, for tests that kill no server. */
export function openData(data: string, options: Parameters<typeof startTestApi>[0] = {}): Promise<TestApi> {
  return startTestApi({ data, compute: sharedCompute(), localModels, ...options });
}
