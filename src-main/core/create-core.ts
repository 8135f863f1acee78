import { join } from 'node:path';
import { AppError, isDiskFull } from '../contract/errors.ts';
import { DEFAULT_ARCHIVE_LIMITS } from '../infra/archives/archive-limits.ts';
import { createBackups } from '../infra/backups/backups.client.ts';
import { type OpenedCatalog, openCatalog } from '../infra/catalog/catalog.ts';
import { keepCatalogCopy } from '../infra/catalog/catalog-copy.ts';
import { copyCatalog } from '../infra/catalog/copy-catalog.ts';
import { randomIds, systemClock } from '../infra/clock.ts';
import { createComputePool, defaultPoolSize } from '../infra/compute/compute-pool.ts';
import type { DataFolder } from '../infra/data-folder.ts';
import { createDatasetFolders } from '../infra/dataset-store/disk/dataset-folders.ts';
import {
  createDatasetStores,
  DEFAULT_OPEN_DATASETS,
  defaultReaders,
} from '../infra/dataset-store/thread/dataset-store.client.ts';
import { fileKindOf, isSurelyKnown } from '../infra/files/file-kinds.ts';
import { createKeptOriginals } from '../infra/files/kept-originals.ts';
import { createLocalFolders } from '../infra/files/local-folders.ts';
import { contentTypeOf } from '../infra/files/media-names.ts';
import { loadSecret } from '../infra/files/secret.ts';
import { keepRuntimeQuiet } from '../infra/models/keep-runtime-quiet.ts';
import { createModelStore, readCatalogue } from '../infra/models/store/model-store.ts';
import { visualDescriptor } from '../infra/models/visual-descriptor.ts';
import { createParquetThreads } from '../infra/parquet/parquet-thread.ts';
import { createMediaSources } from '../infra/sources/media-sources.ts';
import { asAppError } from '../infra/sqlite/open-database.ts';
import { createUrlFetcher } from '../infra/storage/fetch-url.ts';
import { createObjectStorage } from '../infra/storage/s3-storage.ts';
import { createVideoReader } from '../infra/videos/video-reader.ts';
import { createWatchThread } from '../infra/watch/watch-thread.ts';
import { AccessService } from './access/access.service.ts';
import { ensureLocalOwner } from './access/local-owner.ts';
import type { Core, Principal } from './core.ts';
import { DatasetRepository } from './datasets/dataset.repository.ts';
import { DatasetService } from './datasets/dataset.service.ts';
import { DuplicatesService } from './duplicates/duplicates.service.ts';
import { defineFindDuplicatesTask } from './duplicates/find-duplicates.task.ts';
import { EditingService } from './editing/editing.service.ts';
import { defineAddMeaningTask } from './enrichment/add-meaning.task.ts';
import { DatasetModelsService } from './enrichment/dataset-models.service.ts';
import { EncoderChoiceService } from './enrichment/encoder-choice.service.ts';
import { defineEnrichDatasetTask } from './enrichment/enrich-dataset.task.ts';
import { EnrichmentRepository } from './enrichment/enrichment.repository.ts';
import { EnrichmentService } from './enrichment/enrichment.service.ts';
import { MeaningService } from './enrichment/meaning.service.ts';
import { ModelPreview } from './enrichment/model-preview.ts';
import { TextQueryService } from './enrichment/text-query.service.ts';
import { EventBus } from './events.ts';
import { ExploreService } from './explore/explore.service.ts';
import { MapService } from './explore/map.service.ts';
import { QueryImageService } from './explore/query-image.service.ts';
import { QueryImages } from './explore/query-images.ts';
import { QueryPlanner } from './explore/query-planner.ts';
import { SelectionService } from './explore/selection.service.ts';
import { createHandlers } from './handlers.ts';
import { FollowUpService } from './indexing/follow-up.service.ts';
import { defineReindexTask } from './indexing/reindex.task.ts';
import { AddMediaService } from './ingestion/add-media.service.ts';
import { defineAddMediaTask } from './ingestion/add-media.task.ts';
import { ChangeIntakeService } from './ingestion/change-intake.service.ts';
import { defineCreateDatasetTask } from './ingestion/create-dataset.task.ts';
import { IngestionService } from './ingestion/ingestion.service.ts';
import { UploadKeeper } from './ingestion/upload-keeper.ts';
import { UploadTransactionRepository } from './ingestion/upload-transaction.repository.ts';
import { Invoker } from './invoke.ts';
import { MediaService } from './media/media.service.ts';
import { MediaUrls } from './media/media-urls.ts';
import { InstalledModels } from './models/installed-models.ts';
import { ModelService } from './models/model.service.ts';
import { ModelDownloads } from './models/model-downloads.ts';
import { ModelImports } from './models/model-imports.ts';
import { ModelLabelsService } from './models/model-labels.service.ts';
import { ModelSettingsService } from './models/model-settings.service.ts';
import type { Clock } from './ports/clock.ts';
import type { ComputePool, SpawnChild } from './ports/compute.ts';
import type { Log } from './ports/log.ts';
import { defineProjectTask } from './projection/project.task.ts';
import { ProjectionService } from './projection/projection.service.ts';
import { BackupService } from './recovery/backup.service.ts';
import { defineBackupTask } from './recovery/backup.task.ts';
import { CatalogKeeper } from './recovery/catalog-keeper.ts';
import { CheckService } from './recovery/check.service.ts';
import { defineCheckDataTask } from './recovery/check-data.task.ts';
import { DamageService } from './recovery/damage.service.ts';
import { DatasetRecordRepository } from './recovery/dataset-record.repository.ts';
import { RecordKeeper } from './recovery/record-keeper.ts';
import { RecoveryService } from './recovery/recovery.service.ts';
import { RecoveryEventRepository } from './recovery/recovery-event.repository.ts';
import { defineRestoreDatasetTask } from './recovery/restore-dataset.task.ts';
import { SettingsService } from './settings/settings.service.ts';
import { TaskRepository } from './tasks/task.repository.ts';
import { TaskService } from './tasks/task.service.ts';
import { TaskRunner } from './tasks/task-runner.ts';
import { SourceService } from './watching/source.service.ts';
import { WatchedFolderRepository } from './watching/watched-folder.repository.ts';
import { WatchingService } from './watching/watching.service.ts';

export interface CoreOptions {
  /** Taken by the host; the core gives it back when it closes or cannot start. */
  folder: DataFolder;
  /** Built programs that run in threads and processes of their own. */
  entries: {
    compute: string;
    dataset_writer: string;
    dataset_reader: string;
    parquet: string;
    watch: string;
    backup: string;
  };
  resourcesFolder: string;
  spawnChild: SpawnChild;
  computeProcesses?: number;
  version: string;
  environment: Readonly<Record<string, string | undefined>>;
  log: Log;
  /** Instead of the system's; tests set it back and forward. */
  clock?: Clock;
  /** Instead of compute processes of its own; tests compute in process. */
  compute?: ComputePool;
}

/** What a host needs beside {@link Core}. */
export interface StartedCore extends Core {
  /** Where uploads are spooled; emptied at start. */
  temporaryFolder: string;
  compute: Pick<ComputePool, 'status'>;
}

/** On a full disk the catalog opens in the space that is kept for that. */
async function openWithRoom(folder: DataFolder): Promise<OpenedCatalog> {
  try {
    return await openCatalog(folder.root);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    folder.reserve.giveUp();
    return openCatalog(folder.root);
  }
}

/**
 * The one composition root: everything is built here by hand.
 * @throws AppError `unavailable` when a newer version wrote the data folder.
 */
export async function createCore(options: CoreOptions): Promise<StartedCore> {
  keepRuntimeQuiet(process.env);
  const { log } = options;
  const clock = options.clock ?? systemClock;
  const ids = randomIds;
  const { folder } = options;
  try {
    const { catalog, origin } = await openWithRoom(folder);
    const owner: Principal = ensureLocalOwner(catalog, clock, ids);
    const events = new EventBus((error) => log.error({ err: error }, 'an event listener failed'));
    const settings = new SettingsService(catalog, options.environment);
    const urls = new MediaUrls(await loadSecret(folder.root, 'media-url.key'), clock);

    const datasetFolders = createDatasetFolders(folder.root);
    const stores = createDatasetStores({
      entries: {
        writer: options.entries.dataset_writer,
        reader: options.entries.dataset_reader,
        parquet: options.entries.parquet,
      },
      dataFolder: folder.root,
      folders: datasetFolders,
      onDamaged: (datasetId, reason) => damage.noteDamaged(datasetId, reason),
      maxOpen: () => settings.number('OPEN_DATASETS', DEFAULT_OPEN_DATASETS),
      nReaders: () => settings.number('DATASET_READERS', defaultReaders()),
      log,
    });
    const compute =
      options.compute ??
      createComputePool({
        size: options.computeProcesses ?? defaultPoolSize(),
        entryFile: options.entries.compute,
        spawn: options.spawnChild,
        modelDevice: settings.get('MODEL_DEVICE'),
        log,
      });
    const folders = createLocalFolders(folder.root);
    const originals = createKeptOriginals(folder.root);

    const rows = new DatasetRepository(catalog);
    const taskRows = new TaskRepository(catalog);
    const runner = new TaskRunner({
      catalog,
      tasks: taskRows,
      events,
      clock,
      log,
      normalise: asAppError,
      reserve: folder.reserve,
      onProgress: (datasetId, percentage) => rows.saveProgress(datasetId, percentage),
    });
    const tasks = new TaskService(taskRows, runner, clock, ids);
    const issueLimits = () => settings.issueLimits();
    const datasets = new DatasetService({
      issueLimits,
      catalog,
      datasets: rows,
      stores,
      folders: datasetFolders,
      originals,
      tasks,
      urls,
      events,
      clock,
      ids,
      log,
    });
    const storage = createObjectStorage(settings.objectStorage());
    const openParquet = createParquetThreads(options.entries.parquet);
    const sources = createMediaSources({
      dataFolder: folder.root,
      folders,
      originals,
      storage,
      urls: createUrlFetcher({ allowPrivate: settings.isOn('ALLOW_PRIVATE_MEDIA_URLS') }),
      openParquet,
      archiveLimits: settings.archiveLimits(DEFAULT_ARCHIVE_LIMITS),
    });
    const videos = createVideoReader(folder.root, originals, () => settings.video(options.resourcesFolder));
    const keeper = new UploadKeeper(originals, fileKindOf, isSurelyKnown);
    const swapRgb = () => settings.isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC');
    const enrichments = new EnrichmentRepository(catalog);
    const modelStore = createModelStore({
      modelsFolder: folder.models,
      catalogue: await readCatalogue(settings.get('MODELS_CATALOGUE') || join(options.resourcesFolder, 'models.json')),
      openParquet,
      tryModel: (model) => compute.tryModel(model),
    });
    const library = new InstalledModels(modelStore);
    const modelImports = new ModelImports({ store: modelStore, tasks, log });
    const modelDownloads = new ModelDownloads({ library, store: modelStore, tasks, events, clock });
    const modelSettings = new ModelSettingsService(settings);
    const models = new ModelService({
      library,
      store: modelStore,
      downloads: modelDownloads,
      imports: modelImports,
      settings: modelSettings,
      compute,
      isInUse: (modelIds) => enrichments.isInUse(modelIds),
    });
    const modelLabels = new ModelLabelsService({
      library,
      store: modelStore,
      announce: () => modelDownloads.announce(),
    });
    await library.open();
    const builtIn = visualDescriptor(options.resourcesFolder);
    const datasetModels = new DatasetModelsService({
      built_in: builtIn,
      library,
      compute,
      enrichments,
      swapRgb,
    });
    const duplicatesTask = defineFindDuplicatesTask({ datasets, compute, looks: builtIn.model });
    const duplicates = new DuplicatesService({ catalog, datasets, tasks, task: duplicatesTask });
    const projectTask = defineProjectTask({ datasets, compute });
    const projections = new ProjectionService({ catalog, datasets, tasks, task: projectTask });
    const followUps = new FollowUpService({ projections, duplicates });
    const taskParts = {
      datasets,
      stores,
      followUps,
      sources,
      folders,
      originals,
      videos,
      compute,
      models: datasetModels,
      swapRgb,
      log,
    };
    const createTask = defineCreateDatasetTask(taskParts);
    const addTask = defineAddMediaTask(taskParts);
    const reindexTask = defineReindexTask(taskParts);
    const enrichTask = defineEnrichDatasetTask({ ...taskParts, enrichments, library, folders });
    const meaningTask = defineAddMeaningTask({ ...taskParts, enrichments, library });
    runner.define(createTask, addTask, reindexTask, enrichTask, meaningTask, projectTask, duplicatesTask);
    runner.define(modelDownloads.task, modelImports.task);
    const encoders = new EncoderChoiceService({ library, settings, compute, enrichments });
    const ingestion = new IngestionService({
      encoders,
      catalog,
      datasets,
      transactions: new UploadTransactionRepository(catalog),
      folders,
      sources,
      keeper,
      originals,
      tasks,
      createTask,
      events,
      clock,
      ids,
    });
    const addMedia = new AddMediaService({
      catalog,
      datasets,
      sources,
      keeper,
      models: datasetModels,
      originals,
      tasks,
      addTask,
      reindexTask,
      events,
      ids,
    });
    const intake = new ChangeIntakeService({
      catalog,
      datasets,
      tasks,
      addTask,
      events,
      ids,
    });
    const watching = new WatchingService({
      rows: new WatchedFolderRepository(catalog),
      datasets,
      intake,
      watchers: createWatchThread({ entryFile: options.entries.watch, dataFolder: folder.root, log }),
      folders,
      events,
      clock,
      ids,
      log,
    });
    const sourceService = new SourceService({ datasets, watching, folders, tasks, events });
    const texts = new TextQueryService({ library, compute, enrichments });
    const queryImages = new QueryImages(clock, ids);
    const planner = new QueryPlanner(texts, queryImages, issueLimits);
    const explore = new ExploreService({ datasets, urls, texts, planner, issueLimits });
    const selections = new SelectionService(planner);
    const editing = new EditingService({ datasets, selections, tasks, events });
    const enrichment = new EnrichmentService({
      datasets,
      enrichments,
      library,
      models: datasetModels,
      preview: new ModelPreview({ library, compute, urls, swapRgb }),
      tasks,
      task: enrichTask,
      events,
    });
    const meaning = new MeaningService({
      catalog,
      datasets,
      enrichments,
      encoders,
      library,
      tasks,
      task: meaningTask,
      events,
      log,
    });
    const media = new MediaService({ datasets, urls, compute, contentType: contentTypeOf });
    const records = new DatasetRecordRepository(catalog);
    const recovery = new RecoveryService({
      records,
      rows: new RecoveryEventRepository(catalog),
      folders: datasetFolders,
      originals,
      owner,
      clock,
      log,
    });
    const damage = new DamageService({
      catalog,
      datasets,
      projections,
      folders: datasetFolders,
      tasks,
      reindexTask,
      looks: { encoder_id: builtIn.encoder_id, dim: builtIn.dim },
      recovery,
      events,
      owner,
      log,
    });
    const checkTask = defineCheckDataTask({ damage, datasets, records, originals });
    const backups = createBackups({
      entryFile: options.entries.backup,
      dataFolder: folder.root,
      temporaryFolder: folder.temporary,
      stores,
      log,
    });
    const backupTask = defineBackupTask({
      backups,
      records,
      copyCatalog: () => copyCatalog(catalog, folder.temporary),
      clock,
      version: options.version,
      log,
    });
    const restoreTask = defineRestoreDatasetTask({ backups, datasets, followUps, stores, records });
    runner.define(checkTask, backupTask, restoreTask);
    const recordKeeper = new RecordKeeper({ catalog, records, folders: datasetFolders, log });
    const catalogKeeper = new CatalogKeeper({
      catalog,
      writeCopy: () => keepCatalogCopy(catalog.copyTo, folder.root),
      log,
    });
    const handlers = createHandlers({
      datasets,
      ingestion,
      addMedia,
      explore,
      queryImages: new QueryImageService({ datasets, models: datasetModels, compute, images: queryImages, swapRgb }),
      editing,
      duplicates,
      map: new MapService({ datasets, planner, issueLimits, urls }),
      projections,
      media,
      tasks,
      watching,
      sources: sourceService,
      enrichment,
      meaning,
      encoders,
      models,
      modelSettings,
      modelLabels,
      recovery,
      checks: new CheckService(tasks, checkTask),
      backups: new BackupService({ backups, datasets, settings, tasks, backupTask, restoreTask }),
      version: options.version,
    });
    const invoker = new Invoker(handlers, new AccessService(datasets, tasks), settings, log, asAppError);

    await folder.emptyTemporary();
    await recovery.reconcile(origin);
    damage.inspectFolders();
    datasets.releaseEnriched();
    recordKeeper.start();
    catalogKeeper.start();
    runner.recover();
    watching.start();
    events.subscribe(({ name, data }) => {
      if (name === 'dataset_changed') damage.tellFound(data.dataset_id);
      if (name === 'models_changed' || name === 'dataset_changed') void meaning.beginWanted();
    });
    void meaning.beginWanted();
    const inspecting = new AbortController();
    const inspected = damage.inspectQuickly(inspecting.signal);

    return {
      invoke: (operationId, input, context) => invoker.invoke(operationId, input, context),
      subscribe: (listener) => events.subscribe(listener),
      localOwner: () => owner,
      temporaryFolder: folder.temporary,
      compute,
      close: async () => {
        inspecting.abort();
        await inspected;
        await watching.close();
        await runner.close();
        modelStore.close();
        await compute.close();
        await stores.close();
        sources.close();
        await recordKeeper.flush();
        await catalogKeeper.close();
        catalog.close();
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error instanceof AppError ? error : asAppError(error);
  }
}
