import { join } from 'node:path';
import { InstalledModels } from '../../src-main/core/models/installed-models.ts';
import type { ModelRef } from '../../src-main/core/ports/inference.ts';
import { createStoredModels } from '../../src-main/infra/models/model-store.ts';
import { Api } from './api.ts';
import { atEnd } from './at-end.ts';
import { localModels } from './compute.ts';
import { type Server, startServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import type { TinyModel } from './tiny-models/generate.ts';
import { importTinyModels } from './tiny-models/import-tiny-models.ts';

export const SECRET = 'a-secret-of-the-hosts';

/** Creates a data folder with tiny models, which hosts can share. */
export async function folderWithModels(names: readonly TinyModel[]): Promise<string> {
  const data = await temporaryFolder(atEnd);
  const server = await startServer(data);
  await importTinyModels(new Api(server.baseUrl), names, atEnd);
  await server.stop();
  return data;
}

/** Starts a real inference host with one compute process. */
export async function startHost(data: string, environment: Record<string, string> = {}): Promise<Server> {
  const given = {
    INFERENCE_SECRET: SECRET,
    VITRINE_COMPUTE_PROCESSES: '1',
    VITRINE_MODEL_DEVICE: 'cpu',
    ...environment,
  };
  const host = await startServer(data, given, 0, ['infer']);
  atEnd(() => host.stop('SIGKILL'));
  return host;
}

/** Adds the models of a folder to those that compute processes of this test run. */
export async function readModels(data: string, ids: readonly string[]): Promise<ModelRef[]> {
  const library = new InstalledModels(
    createStoredModels({
      modelsFolder: join(data, 'models'),
      catalogue: () => ({ packages: [], models: [] }),
      localModels,
    }),
  );
  await library.open();
  return Promise.all(ids.map(async (id) => (await library.get(id)).ref));
}
