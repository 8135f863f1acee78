import { DatasetUsers } from '../core/access/dataset-users.ts';
import { ensureLocalOwner } from '../core/access/local-owner.ts';
import { AuditRepository } from '../core/accounts/audit.repository.ts';
import { AuditService } from '../core/accounts/audit.service.ts';
import { Memberships } from '../core/accounts/memberships.ts';
import { ensurePrimaryWorkspace } from '../core/accounts/primary-workspace.ts';
import { readServiceMode } from '../core/accounts/service-mode.ts';
import type { Principal } from '../core/core.ts';
import { EventBus } from '../core/events.ts';
import { ExportRepository } from '../core/exports/export.repository.ts';
import { MediaFolders } from '../core/media/media-folders.ts';
import { MediaUrls } from '../core/media/media-urls.ts';
import type { SpawnChild } from '../core/ports/child-process.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Log, LogLevel } from '../core/ports/log.ts';
import type { KeyWrap } from '../core/ports/secret-box.ts';
import { DamageReports } from '../core/recovery/damage-reports.ts';
import { SettingsService } from '../core/settings/settings.service.ts';
import { DEFAULT_ARCHIVE_LIMITS } from '../infra/archives/archive-limits.ts';
import { openCatalog } from '../infra/catalog/catalog.ts';
import { randomIds, systemClock } from '../infra/clock.ts';
import type { DataFolder } from '../infra/data-folder.ts';
import { createDatasetFolders } from '../infra/dataset-store/disk/dataset-folders.ts';
import { createDatasetInspector } from '../infra/dataset-store/thread/dataset-inspector.client.ts';
import {
  createDatasetStores,
  DEFAULT_OPEN_DATASETS,
  defaultReaders,
} from '../infra/dataset-store/thread/dataset-store.client.ts';
import { createSnapshotComparer } from '../infra/dataset-store/thread/snapshot-comparer.client.ts';
import { createLocalFolders } from '../infra/files/local-folders.ts';
import { createOpenedFolders } from '../infra/files/opened-folders.ts';
import { loadSecret } from '../infra/files/secret.ts';
import { createStoredOriginals } from '../infra/files/stored-originals.ts';
import { Claims } from '../infra/giving-way/claims.ts';
import { LocalModels } from '../infra/inference/local-models.ts';
import { createSpreadJobs, replacing } from '../infra/inference-hosts/spread-jobs.ts';
import { type Compute, computeSizeOf, createCompute } from '../infra/local-jobs/create-compute.ts';
import { createParquetThreads } from '../infra/parquet/parquet-thread.ts';
import { openSecretBox } from '../infra/secrets/secret-box.ts';
import { createMediaPreviews } from '../infra/sources/media-previews.ts';
import { createMediaSources } from '../infra/sources/media-sources.ts';
import { createResultSources } from '../infra/sources/result-sources.ts';
import { createUrlFetcher } from '../infra/storage/fetch-url.ts';
import { createObjectStorage } from '../infra/storage/s3-storage.ts';
import { openVectorEngine } from '../infra/vectors/open-engine.ts';
import { createVideoReader } from '../infra/videos/video-reader.ts';
import type { WorkerEntries } from './worker-entries.ts';

export interface CoreOptions {
  /** Data folder, locked by the host. The core releases it when it closes or cannot start. */
  folder: DataFolder;
  /** Entry files of the programs that run in worker threads and child processes. */
  entries: WorkerEntries;
  resourcesFolder: string;
  spawnChild: SpawnChild;
  version: string;
  environment: Readonly<Record<string, string | undefined>>;
  log: Log;
  setLogLevel: (level: LogLevel) => void;
  /** Whether the core only answers calls: it resumes no tasks, watches no folders and checks nothing by itself. */
  isPassive?: boolean;
  /** Replaces the system clock in tests, which change its time. */
  clock?: Clock;
  /** Key store of the operating system, if available. */
  keyWrap?: KeyWrap;
  /** Replaces the compute processes in tests, which compute in the same process. */
  compute?: Compute;
  /** The models that such processes run. */
  localModels?: LocalModels;
}

/** Services that all domains use: implementations of ports, identity and time. */
export type Platform = Awaited<ReturnType<typeof composePlatform>>;

/** Composes the platform. @throws AppError `unavailable` when a newer version wrote the data folder. */
export async function composePlatform(options: CoreOptions) {
  const { folder, log, version, resourcesFolder } = options;
  const clock = options.clock ?? systemClock;
  const ids = randomIds;
  const mode = readServiceMode(options.environment);
  const { catalog, origin } = await openCatalog(folder.root);
  const primaryWorkspaceId = ensurePrimaryWorkspace(catalog, clock, ids);
  const owner: Principal = ensureLocalOwner(catalog, clock, ids, primaryWorkspaceId);
  const box = await openSecretBox(folder.root, options.keyWrap);
  const events = new EventBus((error) => log.error({ err: error }, 'an event listener failed'));
  const settings = new SettingsService({ catalog, environment: options.environment, box, log });
  const applyLogLevel = () => options.setLogLevel(settings.logLevel());
  applyLogLevel();
  settings.onChange((name) => name === 'LOG_LEVEL' && applyLogLevel());
  const audit = new AuditService({ rows: new AuditRepository(catalog), settings, clock });
  const urls = new MediaUrls(await loadSecret(folder.root, 'media-url.key'), clock);

  const datasetFolders = createDatasetFolders(folder.root, {
    log,
    openEngine: (location, shared) =>
      openVectorEngine({ ...location, connection: settings.engineConnection() }, shared),
  });
  const damageReports = new DamageReports(log);
  const exportRows = new ExportRepository(catalog);
  const stores = createDatasetStores({
    entries: {
      writer: options.entries.dataset_writer,
      reader: options.entries.dataset_reader,
      parquet: options.entries.parquet,
    },
    dataFolder: folder.root,
    folders: datasetFolders,
    listNeeded: (datasetId) => exportRows.listGenerations(datasetId),
    onDamaged: (damaged, reason) => damageReports.report(damaged, reason),
    maxOpen: () => settings.numberOr('OPEN_DATASETS', DEFAULT_OPEN_DATASETS),
    nReaders: () => settings.numberOr('DATASET_READERS', defaultReaders()),
    engineConnection: () => settings.engineConnection(),
    log,
  });
  const claims = new Claims();
  const { localModels = new LocalModels() } = options;
  const urlFetcher = createUrlFetcher({ allowPrivate: () => settings.isOn('ALLOW_PRIVATE_MEDIA_URLS') });
  const compute =
    options.compute ??
    createCompute(
      {
        ...computeSizeOf(options.environment),
        entryFile: options.entries.compute,
        spawn: options.spawnChild,
        modelDevice: () => settings.get('MODEL_DEVICE'),
        claims,
        log,
      },
      localModels,
      { urls: urlFetcher, temporaryFolder: folder.temporary },
    );
  const { localJobs, checkHosts } = createSpreadJobs({
    local: compute.localJobs,
    hosts: () => settings.inferenceHosts(),
    version,
    log,
  });
  const inference = replacing(compute.inference, {
    checkDevices: async () => [...(await compute.inference.checkDevices()), ...(await checkHosts())],
  });
  const opened = createOpenedFolders(() => settings.openedFolders(mode.authentication));
  const folders = createLocalFolders(folder.root, opened);
  const originals = createStoredOriginals(folder.root);
  const openParquet = createParquetThreads(options.entries.parquet);
  const storage = createObjectStorage(() => settings.objectStorage());
  const sources = createMediaSources({
    dataFolder: folder.root,
    folders,
    originals,
    storage,
    urls: urlFetcher,
    openParquet,
    opened,
    archiveLimits: () => settings.archiveLimits(DEFAULT_ARCHIVE_LIMITS),
  });
  return {
    ...{ folder, entries: options.entries, resourcesFolder, version, log, clock, ids },
    isPassive: options.isPassive ?? false,
    ...{
      catalog,
      origin,
      mode,
      primaryWorkspaceId,
      owner,
      events,
      settings,
      box,
      audit,
      memberships: new Memberships(catalog),
      mediaFolders: new MediaFolders(catalog),
      datasetUsers: new DatasetUsers(catalog),
      urls,
      datasetFolders,
      damageReports,
      exportRows,
      stores,
      claims,
      compute,
      inference,
      localJobs,
      localModels,
    },
    ...{ opened, folders, originals, openParquet, sources, storage },
    results: createResultSources({ folders, opened, storage, temporaryFolder: folder.temporary }),
    previews: createMediaPreviews({
      folders,
      entries: options.entries,
      temporaryFolder: folder.temporary,
      archiveLimits: () => settings.archiveLimits(DEFAULT_ARCHIVE_LIMITS),
    }),
    inspector: createDatasetInspector({ entryFile: options.entries.inspection, dataFolder: folder.root, claims, log }),
    comparer: createSnapshotComparer({ entryFile: options.entries.comparison, dataFolder: folder.root, log }),
    videos: createVideoReader(folder.root, originals, () => settings.video(resourcesFolder)),
    issueLimits: () => settings.issueLimits(),
    swapRgb: () => settings.isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC'),
  };
}
