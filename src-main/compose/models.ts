import { join } from 'node:path';
import { DatasetModelsService } from '../core/enrichment/dataset-models.service.ts';
import { EncoderChoiceService } from '../core/enrichment/encoder-choice.service.ts';
import { EnrichmentRepository } from '../core/enrichment/enrichment.repository.ts';
import { RecommendationService } from '../core/enrichment/recommendation.service.ts';
import { TextQueryService } from '../core/enrichment/text-query.service.ts';
import { InstalledModels } from '../core/models/installed-models.ts';
import { ModelService } from '../core/models/model.service.ts';
import { ModelDownloads } from '../core/models/model-downloads.ts';
import { ModelImports } from '../core/models/model-imports.ts';
import { ModelSettingsService } from '../core/models/model-settings.service.ts';
import { addVisualDescriptor } from '../infra/inference/visual-descriptor.ts';
import { CurrentCatalogue } from '../infra/models/current-catalogue.ts';
import { createModelStore } from '../infra/models/model-store.ts';
import type { Datasets } from './datasets.ts';
import type { Platform } from './platform.ts';

/** Services of installed and available models, and of the models that each dataset uses. */
export type Models = Awaited<ReturnType<typeof composeModels>>;

export async function composeModels(platform: Platform, { tasks, runner }: Datasets) {
  const { inference, localModels, settings, resourcesFolder } = platform;
  const enrichments = new EnrichmentRepository(platform.catalog);
  const ownCatalogue = join(resourcesFolder, 'models.json');
  const catalogue = await CurrentCatalogue.open(ownCatalogue, settings.get('MODELS_CATALOGUE'), platform.log);
  const store = createModelStore({
    modelsFolder: platform.folder.models,
    bundledFolder: join(resourcesFolder, 'models'),
    catalogue: () => catalogue.get(),
    openParquet: platform.openParquet,
    opened: platform.opened,
    localModels,
    tryModel: (model) => inference.tryModel(model),
    splitEncoder: (request, signal) => platform.localJobs.splitEncoder(request, signal),
  });
  const library = new InstalledModels(store);
  const imports = new ModelImports({ store, tasks, log: platform.log });
  const downloads = new ModelDownloads({ ...platform, library, store, tasks });
  runner.define(downloads.task, imports.task);
  const modelSettings = new ModelSettingsService(settings);
  const models = new ModelService({
    library,
    store,
    downloads,
    imports,
    settings: modelSettings,
    declineRecommended: () => settings.set('RECOMMENDED_ENCODER', 'declined'),
    inference,
    isInUse: (modelIds) => enrichments.isInUse(modelIds),
  });
  await library.open();
  const builtIn = addVisualDescriptor(localModels, resourcesFolder);
  const encoders = new EncoderChoiceService({ library, settings, inference, enrichments });
  const recommendation = new RecommendationService({
    ...{ library, models, settings, enrichments },
    ...{ catalog: platform.catalog, ownerEmail: platform.owner.email, log: platform.log },
  });
  return {
    services: { models, modelSettings, encoders, recommendation },
    ...{ catalogue, store, library, enrichments, builtIn, encoders },
    announceModels: () => downloads.announce(),
    datasetModels: new DatasetModelsService({ ...platform, built_in: builtIn, library, enrichments }),
    texts: new TextQueryService({ library, inference, enrichments }),
  };
}
