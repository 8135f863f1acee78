import { realpathSync } from 'node:fs';
import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { AppError, isDiskFull } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import type { BackupInWork, Backups } from '../../core/ports/backups.ts';
import type { DatasetStores } from '../../core/ports/dataset-store.ts';
import type { Log } from '../../core/ports/log.ts';
import { GenerationFolders } from '../dataset-store/disk/generation-folders.ts';
import { blocksFolder } from '../dataset-store/snapshots/stored-snapshots.ts';
import { canonicalPath } from '../files/opened-folders.ts';
import { isOwnData } from '../files/own-folder.ts';
import type { Claims } from '../giving-way/claims.ts';
import { SEMI_SPACE_LIMIT } from '../semi-space.ts';
import { Thread } from '../threads/thread.ts';
import { callsOf, serve } from '../threads/thread-port.ts';
import { asBackupError } from './backup-error.ts';
import { BackupFolder } from './backup-folder.ts';
import {
  BACKUP_OWNER,
  BACKUP_READER,
  BACKUP_WRITER,
  type BackupOwner,
  type BackupReaderCalls,
  type BackupStart,
} from './backup-messages.ts';

export interface BackupsParts {
  /** Path of the built worker. */
  entryFile: string;
  dataFolder: string;
  /** Folder for temporary files, emptied at every start. */
  temporaryFolder: string;
  stores: Pick<DatasetStores, 'takeState'>;
  claims: Pick<Claims, 'memory'>;
  log: Log;
}

/** Creates the backups. Each backup, and each reading of one, runs in a thread of its own. */
export function createBackups(parts: BackupsParts): Backups {
  const dataFolder = realpathSync(parts.dataFolder);
  const generations = new GenerationFolders(join(dataFolder, 'datasets'));

  const start = (folder: string, onReport: BackupOwner['report']) =>
    new Thread({
      entryFile: parts.entryFile,
      name: 'backup',
      workerData: (): BackupStart => ({ folder, dataFolder, claimed: parts.claims.memory }),
      resourceLimits: SEMI_SPACE_LIMIT,
      methods: serve(BACKUP_OWNER, { report: onReport }),
      onFailure: (error) => parts.log.error({ err: error }, 'the thread of a backup failed'),
    });
  const inThread = async <T>(
    folder: string,
    work: (calls: BackupReaderCalls) => Promise<T>,
    options: { signal?: AbortSignal; onBytes?: (done: number) => void } = {},
  ): Promise<T> => {
    if (!isAbsolute(folder)) throw new AppError('invalid_request', message('backups_path_relative'));
    const thread = start(folder, async (done) => options.onBytes?.(done));
    const end = () => void thread.end();
    options.signal?.addEventListener('abort', end, { once: true });
    try {
      return await work(callsOf(BACKUP_READER, thread));
    } finally {
      options.signal?.removeEventListener('abort', end);
      await thread.close();
    }
  };

  return {
    choose: (folder) => choose(folder, dataFolder),
    list: (folder) => inThread(folder, (calls) => calls.list()),
    checkLatest: async (folder, { signal, megabytes_per_s, onBytes }) => {
      const { read_bytes, ...checked } = await inThread(folder, (calls) => calls.checkLatest(megabytes_per_s), {
        signal,
      });
      onBytes?.(read_bytes);
      return checked;
    },
    restoreBlocks: (folder, datasetId, names, signal) => {
      const to = blocksFolder(generations.path(datasetId));
      return inThread(folder, (calls) => calls.restoreBlocks(names, to), { signal });
    },
    restoreFiles: (folder, files, signal) => inThread(folder, (calls) => calls.restoreFiles(files), { signal }),
    begin: (folder, { signal, onBytes }) => {
      const thread = start(folder, async (done, total) => onBytes(done, total));
      return beginBackup(parts, thread, signal);
    },
    readRecord: ({ folder, backup_id, dataset_id }) =>
      inThread(folder, (calls) => calls.readRecord(backup_id, dataset_id)),
    restoreDataset: ({ folder, backup_id, dataset_id }, toDatasetId, options) =>
      inThread(
        folder,
        (calls) => generations.add(toDatasetId, (to) => calls.restoreDataset(backup_id, dataset_id, to)),
        options,
      ),
  };
}

async function choose(folder: string, dataFolder: string): Promise<string> {
  if (!isAbsolute(folder)) throw new AppError('invalid_request', message('backup_path_relative'));
  const refuse = (reason: Message) => {
    throw new AppError('invalid_request', reason);
  };
  // A link in the existing part of the path may lead into the data folder.
  if (isOwnData(await canonicalPath(folder), dataFolder)) {
    refuse(message('backup_in_data_folder'));
  }
  try {
    // Only the folder itself is created, not those above it: a missing drive must not be replaced by a new folder on this drive.
    await mkdir(folder);
  } catch (error) {
    if (isDiskFull(error)) throw asBackupError(error);
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT') refuse(message('backup_parent_missing'));
    if (code !== 'EEXIST') refuse(message('backup_folder_unwritable'));
  }
  if (!(await stat(folder)).isDirectory()) refuse(message('backup_folder_is_file'));
  const canonical = await realpath(folder);
  await new BackupFolder(canonical).prepare().catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EROFS')) {
      refuse(message('backup_folder_readonly'));
    }
    throw asBackupError(error);
  });
  return canonical;
}

async function beginBackup(
  { temporaryFolder, stores }: BackupsParts,
  thread: Thread,
  signal: AbortSignal,
): Promise<BackupInWork> {
  // A call after the end of the thread would start the thread again.
  const calls = callsOf(BACKUP_WRITER, {
    call: async (method, args) => {
      signal.throwIfAborted();
      return thread.call(method, args);
    },
  });
  // The next backup reuses the packs that are complete.
  const end = () => void thread.end();
  signal.addEventListener('abort', end, { once: true });
  const staging = join(temporaryFolder, 'backup');
  const inStaging = async <T>(work: () => Promise<T>): Promise<T> => {
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true });
    try {
      return await work();
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  };
  try {
    await calls.begin();
  } catch (error) {
    await thread.close();
    throw error;
  }
  return {
    storeDataset: (record) =>
      inStaging(async () => {
        const { dataset_id } = record;
        const generation = Number(record.dataset.generation);
        const folder = join(staging, String(generation));
        const files = await stores.takeState({ dataset_id, generation }, folder);
        await writeFile(join(staging, 'dataset.json'), JSON.stringify(record));
        const counted = files.filter(({ bytes }) => bytes > 0);
        const lengths = new Map(counted.map(({ path, bytes }) => [join(folder, path), bytes]));
        await calls.storeDataset(dataset_id, staging, lengths);
      }),
    carryDataset: (datasetId) => calls.carryDataset(datasetId),
    storeFiles: (datasetId) => calls.storeFiles(datasetId),
    storeOriginals: (batchId) => calls.storeOriginals(batchId),
    storeOthers: () => calls.storeOthers(),
    storeCatalog: (write) =>
      inStaging(async () => {
        const file = join(staging, 'catalog.db');
        await write(file);
        await calls.storeCatalog(file);
      }),
    finish: (backup) => calls.finish(backup),
    close: () => {
      signal.removeEventListener('abort', end);
      return thread.close();
    },
  };
}
