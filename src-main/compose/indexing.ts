import { DuplicatesService } from '../core/duplicates/duplicates.service.ts';
import { defineFindDuplicatesTask } from '../core/duplicates/find-duplicates.task.ts';
import { defineAddMeaningTask } from '../core/enrichment/add-meaning.task.ts';
import { defineEnrichDatasetTask } from '../core/enrichment/enrich-dataset.task.ts';
import { EnrichmentService } from '../core/enrichment/enrichment.service.ts';
import { defineImportResultsTask } from '../core/enrichment/import-results.task.ts';
import { MeaningService } from '../core/enrichment/meaning.service.ts';
import { ModelPreview } from '../core/enrichment/model-preview.ts';
import { ResultImportService } from '../core/enrichment/result-import.service.ts';
import { WordTagsService } from '../core/enrichment/word-tags.service.ts';
import { defineWordTagsTask } from '../core/enrichment/word-tags.task.ts';
import { FollowUpService } from '../core/indexing/follow-up.service.ts';
import { definePlaceVectorsTask } from '../core/indexing/place-vectors.task.ts';
import { defineReindexTask } from '../core/indexing/reindex.task.ts';
import { VectorPlacementService } from '../core/indexing/vector-placement.service.ts';
import { AddMediaService } from '../core/ingestion/add-media.service.ts';
import { defineAddMediaTask } from '../core/ingestion/add-media.task.ts';
import { ChangeIntakeService } from '../core/ingestion/change-intake.service.ts';
import { defineCreateDatasetTask } from '../core/ingestion/create-dataset.task.ts';
import { IngestionService } from '../core/ingestion/ingestion.service.ts';
import { ReceivingBatches } from '../core/ingestion/receiving-batches.ts';
import { UploadKeeper } from '../core/ingestion/upload-keeper.ts';
import { UploadTransactionRepository } from '../core/ingestion/upload-transaction.repository.ts';
import { ModelLabelsService } from '../core/models/model-labels.service.ts';
import { defineProjectTask } from '../core/projection/project.task.ts';
import { ProjectionService } from '../core/projection/projection.service.ts';
import { OrphanedFramesService } from '../core/snapshots/orphaned-frames.service.ts';
import { SnapshotRepository } from '../core/snapshots/snapshot.repository.ts';
import { SnapshotKeeper } from '../core/snapshots/snapshot-keeper.ts';
import { SourceService } from '../core/watching/source.service.ts';
import { WatchedFolderRepository } from '../core/watching/watched-folder.repository.ts';
import { WatchingService } from '../core/watching/watching.service.ts';
import { fileKindOf, isSurelyKnown } from '../infra/files/file-kinds.ts';
import { createSampleMedia } from '../infra/images/sample-media.ts';
import { createWatchThread } from '../infra/watch/watch-thread.ts';
import type { Datasets } from './datasets.ts';
import type { Models } from './models.ts';
import type { Platform } from './platform.ts';
import type { Views } from './views.ts';

/** Services that import media into datasets and apply models to them. */
export type Indexing = ReturnType<typeof composeIndexing>;

export function composeIndexing(
  platform: Platform,
  { datasets, drafts, tasks, runner }: Datasets,
  models: Models,
  { monitor }: Views,
) {
  const { catalog, localJobs, folders, mediaFolders, originals, events } = platform;
  const { library, enrichments, encoders, datasetModels, builtIn } = models;

  const duplicatesTask = defineFindDuplicatesTask({ datasets, localJobs, looks: builtIn.model });
  const duplicates = new DuplicatesService({ catalog, datasets, tasks, task: duplicatesTask });
  const projectTask = defineProjectTask({ datasets, localJobs });
  const projections = new ProjectionService({ catalog, datasets, tasks, task: projectTask });
  const wordTagsTask = defineWordTagsTask({ ...platform, datasets, enrichments, library });
  const wordTags = new WordTagsService({ catalog, datasets, enrichments, library, tasks, task: wordTagsTask });
  const placeTask = definePlaceVectorsTask({ datasets, localJobs });
  const vectorPlacement = new VectorPlacementService({ ...platform, datasets, tasks, task: placeTask });
  const followUps = new FollowUpService({ projections, wordTags, duplicates, vectorPlacement });
  const modelLabels = new ModelLabelsService({
    ...{ library, store: models.store, announce: models.announceModels },
    listChanged: (taggerId) => wordTags.listChanged(taggerId),
  });

  const rows = new SnapshotRepository(catalog);
  const snapshotKeeper = new SnapshotKeeper({ ...platform, datasets, rows, enrichments });
  const orphanedFrames = new OrphanedFramesService({ ...platform, datasets, rows });
  const taskParts = { ...platform, datasets, followUps, models: datasetModels, snapshots: snapshotKeeper };
  const createTask = defineCreateDatasetTask(taskParts);
  const addTask = defineAddMediaTask({ ...taskParts, monitor, orphanedFrames });
  const reindexTask = defineReindexTask(taskParts);
  const enrichTask = defineEnrichDatasetTask({ ...taskParts, enrichments, library });
  const meaningTask = defineAddMeaningTask({ ...taskParts, enrichments, library });
  const resultParts = { ...taskParts, builtIn, enrichments, library, sources: platform.results };
  const resultsTask = defineImportResultsTask(resultParts);
  runner.define(
    createTask,
    addTask,
    reindexTask,
    enrichTask,
    meaningTask,
    resultsTask,
    projectTask,
    wordTagsTask,
    duplicatesTask,
    placeTask,
  );

  const keeper = new UploadKeeper(originals, fileKindOf, isSurelyKnown);
  const transactions = new UploadTransactionRepository(catalog);
  const receiving = new ReceivingBatches({ ...platform, datasets });
  const ingestion = new IngestionService({
    ...platform,
    ...{ datasets, drafts, tasks, encoders, receiving, transactions, keeper, createTask },
    sampleMedia: createSampleMedia(platform.folder.temporary),
  });
  const addMedia = new AddMediaService({
    ...platform,
    ...{ datasets, tasks, models: datasetModels, receiving, keeper, addTask, reindexTask },
  });
  const watching = new WatchingService({
    ...platform,
    datasets,
    rows: new WatchedFolderRepository(catalog),
    intake: new ChangeIntakeService({ ...platform, datasets, tasks, addTask }),
    watchers: createWatchThread({
      entryFile: platform.entries.watch,
      dataFolder: platform.folder.root,
      log: platform.log,
    }),
  });
  const sources = new SourceService({ datasets, watching, folders, tasks, events });
  const enrichment = new EnrichmentService({
    ...{ datasets, drafts, mediaFolders, enrichments, library, tasks, events },
    models: datasetModels,
    preview: new ModelPreview({ ...platform, library }),
    hasRay: () => platform.settings.get('RAY_ADDRESS') !== '',
    task: enrichTask,
  });
  const meaning = new MeaningService({
    ...platform,
    ...{ datasets, enrichments, encoders, library, tasks, task: meaningTask },
  });
  const results = new ResultImportService({ ...resultParts, catalog, tasks, task: resultsTask, events });
  return {
    services: {
      ingestion,
      addMedia,
      watching,
      sources,
      enrichment,
      meaning,
      results,
      modelLabels,
      duplicates,
      projections,
      vectorPlacement,
    },
    receiving,
    followUps,
    snapshotKeeper,
    orphanedFrames,
    reindexTask,
  };
}
