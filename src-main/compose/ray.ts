import { rm } from 'node:fs/promises';
import { defineComputeOnRayTask } from '../core/enrichment/compute-on-ray.task.ts';
import { RayService } from '../core/enrichment/ray.service.ts';
import { createExchangeFolders } from '../infra/ray/exchange-folders.ts';
import { createRayJobs } from '../infra/ray/ray-jobs.ts';
import type { Datasets } from './datasets.ts';
import type { Explore } from './explore.ts';
import type { Exports } from './exports.ts';
import type { Indexing } from './indexing.ts';
import type { Models } from './models.ts';
import type { Platform } from './platform.ts';

/** Composes the service that applies models on a Ray cluster. */
export function composeRay(
  platform: Platform,
  { datasets, tasks, runner }: Datasets,
  models: Models,
  indexing: Indexing,
  { selections }: Explore,
  exports: Exports,
) {
  const { settings, folder, log } = platform;
  const { library, enrichments, datasetModels, builtIn } = models;
  const exchange = createExchangeFolders(platform);
  const ray = createRayJobs({ address: () => settings.get('RAY_ADDRESS'), temporaryFolder: folder.temporary, log });
  const task = defineComputeOnRayTask({
    ...platform,
    ...{ datasets, library, exchange, ray, modelStore: models.store },
    manifests: exports.services.bareExports,
    results: indexing.services.results,
    removeFile: (path) => rm(path, { force: true }),
  });
  runner.define(task);
  const parts = { builtIn, enrichments, library, models: datasetModels };
  const service = new RayService({ ...platform, ...parts, datasets, tasks, task, selections, exchange, ray });
  return { services: { ray: service } };
}
