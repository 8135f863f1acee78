import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InstalledModels } from '../core/models/installed-models.ts';
import type { InferenceHost } from '../core/ports/inference-host.ts';
import { Claims } from '../infra/giving-way/claims.ts';
import { keepRuntimeQuiet } from '../infra/inference/keep-runtime-quiet.ts';
import { LocalModels } from '../infra/inference/local-models.ts';
import { addVisualDescriptor } from '../infra/inference/visual-descriptor.ts';
import { createInferenceHost } from '../infra/inference-hosts/inference-host.ts';
import { computeSizeOf, createCompute } from '../infra/local-jobs/create-compute.ts';
import { CurrentCatalogue } from '../infra/models/current-catalogue.ts';
import { createStoredModels } from '../infra/models/model-store.ts';
import { createUrlFetcher } from '../infra/storage/fetch-url.ts';
import type { CoreOptions } from './platform.ts';

export interface InferenceHostOptions
  extends Pick<CoreOptions, 'resourcesFolder' | 'spawnChild' | 'version' | 'environment' | 'log'> {
  /** Folder with the data folder's `models`, which is only read. Any number of hosts may share it. */
  dataFolder: string;
  computeEntry: string;
}

/** Composes an inference host: the models of a data folder and the processes that run them. It opens no dataset and locks nothing. */
export async function composeInferenceHost(
  options: InferenceHostOptions,
): Promise<{ host: InferenceHost; processes: number; close(): Promise<void> }> {
  const { environment, resourcesFolder, log, version } = options;
  keepRuntimeQuiet(process.env);
  const localModels = new LocalModels();
  const builtIn = addVisualDescriptor(localModels, resourcesFolder);
  const named = environment.VITRINE_MODELS_CATALOGUE ?? '';
  const catalogue = await CurrentCatalogue.open(join(resourcesFolder, 'models.json'), named, log);
  const modelsFolder = join(options.dataFolder, 'models');
  const library = new InstalledModels(
    createStoredModels({ modelsFolder, catalogue: () => catalogue.get(), localModels }),
  );
  await library.open();
  const installed = (await library.list()).filter((model) => model.installed);
  const refs = await Promise.all(installed.map(async ({ definition }) => (await library.get(definition.id)).ref));

  const temporaryFolder = await mkdtemp(join(tmpdir(), 'vitrine-infer-'));
  const urls = createUrlFetcher({
    allowPrivate: () => ['true', '1'].includes(environment.VITRINE_ALLOW_PRIVATE_MEDIA_URLS ?? ''),
  });
  const compute = createCompute(
    {
      ...computeSizeOf(environment),
      entryFile: options.computeEntry,
      spawn: options.spawnChild,
      modelDevice: () => environment.VITRINE_MODEL_DEVICE ?? 'auto',
      claims: new Claims(),
      log,
    },
    localModels,
    { urls, temporaryFolder },
  );
  const models = [builtIn.model, ...refs];
  const { size: processes } = compute.localJobs;
  return {
    host: createInferenceHost({ inference: compute.inference, models, processes, version }),
    processes,
    close: async () => {
      await compute.close();
      urls.close();
      await rm(temporaryFolder, { recursive: true, force: true });
    },
  };
}
