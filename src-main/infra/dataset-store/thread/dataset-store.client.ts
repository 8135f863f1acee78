import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { type Message, message } from '../../../contract/messages.ts';
import type { DatasetFolders } from '../../../core/ports/dataset-folders.ts';
import type { DatasetStore, DatasetStores } from '../../../core/ports/dataset-store.ts';
import type { EngineConnection } from '../../../core/ports/external-engine.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { Side } from '../../../core/ports/store-methods.ts';
import { GenerationFolders } from '../disk/generation-folders.ts';
import { copySnapshot, deleteSnapshot, restoreSnapshot, sweepSnapshots } from '../snapshots/stored-snapshots.ts';
import { type GenerationLocation, Generations } from './generations.ts';
import { storeCalls } from './store-calls.ts';

/** Default maximum number of datasets open for reading. Each open dataset takes memory in every thread that reads it. */
export const DEFAULT_OPEN_DATASETS = 8;
/** Minimum and maximum default number of reader threads. With three threads, two long reads do not hold up a third. */
const [MIN_READERS, MAX_READERS] = [3, 4];
const REMOVED = 'removed';

/** Returns the default number of reader threads: a quarter of the cores, within bounds. The other cores decode files and run models. */
export function defaultReaders(): number {
  return Math.min(Math.max(MIN_READERS, Math.floor(availableParallelism() / 4)), MAX_READERS);
}

/** Opens dataset folders below the data folder. */
export function createDatasetStores(options: {
  entries: { writer: string; reader: string; parquet: string };
  dataFolder: string;
  /** Maximum number of datasets that are open for reading. */
  maxOpen: () => number;
  /** Number of threads that read all datasets. */
  nReaders: () => number;
  /** The configured external vector engine; undefined for none. */
  engineConnection?: () => EngineConnection | undefined;
  folders: Pick<DatasetFolders, 'remove' | 'deleteGenerations'>;
  /** Lists the generations of a dataset that waiting tasks will read. */
  listNeeded: (datasetId: string) => number[];
  /** Called when a call finds the database of a dataset damaged. */
  onDamaged: (dataset: { dataset_id: string; generation: number }, reason: Message) => void;
  log: Log;
}): DatasetStores {
  const { dataFolder, entries, folders, listNeeded, log } = options;
  const generations = new GenerationFolders(join(dataFolder, 'datasets'));
  const placeOf = (datasetId: string, snapshotId: string) => ({
    datasetFolder: generations.path(datasetId),
    snapshotId,
  });
  const opened = new Generations({
    entries,
    maxOpen: options.maxOpen,
    nReaders: options.nReaders,
    onDamaged: ({ dataset_id, generation }, reason) => options.onDamaged({ dataset_id, generation }, reason),
    log,
  });
  /**
   * Current generation of each dataset. Calls that started before the generation was replaced and name the previous one are sent to the
   * current one.
   */
  const latest = new Map<string, number | typeof REMOVED>();

  /** Number of readers of each generation, by its folder. */
  const readers = new Map<string, number>();

  /** Last queued task of each dataset whose generations change. */
  const lines = new Map<string, Promise<unknown>>();

  /** @throws AppError `not_found` if the dataset was removed. */
  const locate = (side: Side, datasetId: string, requested: number): GenerationLocation => {
    const last = latest.get(datasetId) ?? requested;
    if (last === REMOVED) throw new AppError('not_found', message('dataset_not_found'));
    const isHeld = side === 'read' && readers.has(generations.path(datasetId, requested));
    const generation = isHeld ? requested : Math.max(requested, last);
    const folder = generations.path(datasetId, generation);
    const engineConnection = options.engineConnection?.();
    return {
      dataset_id: datasetId,
      generation,
      dataFolder,
      folder,
      parquetEntryFile: entries.parquet,
      engineConnection,
    };
  };

  const open = (datasetId: string, generation: number): DatasetStore =>
    storeCalls((side, key, args) => opened[side](() => locate(side, datasetId, generation), key, args));

  const add = (datasetId: string, write: (folder: string) => Promise<void> | void): Promise<number> => {
    if (latest.get(datasetId) === REMOVED) latest.delete(datasetId);
    return generations.add(datasetId, write);
  };

  /** Runs tasks that create or delete blocks of one dataset in sequence, so that no block in use by one task is swept by another. */
  const inLine = async <T>(datasetId: string, work: () => Promise<T>): Promise<T> => {
    const turn = Promise.allSettled([lines.get(datasetId)]).then(work);
    lines.set(datasetId, turn);
    try {
      return await turn;
    } finally {
      if (lines.get(datasetId) === turn) lines.delete(datasetId);
    }
  };

  const deleteReplaced = async (datasetId: string, present: number): Promise<void> => {
    latest.set(datasetId, present);
    const requested = listNeeded(datasetId);
    const isReplaced = (generation: number) =>
      generation < present && !requested.includes(generation) && !readers.has(generations.path(datasetId, generation));
    const kept = (await generations.list(datasetId)).filter((generation) => !isReplaced(generation));
    await opened.closeBelow(
      generations.path(datasetId),
      kept.map((one) => generations.path(datasetId, one)),
    );
    await folders.deleteGenerations(datasetId, isReplaced);
  };

  /** Whether a generation is deleted, or about to be. */
  const isGone = (datasetId: string, generation: number): boolean => {
    const last = latest.get(datasetId);
    const folder = generations.path(datasetId, generation);
    if (typeof last === 'number' && last > generation)
      return !readers.has(folder) && !listNeeded(datasetId).includes(generation);
    return last !== REMOVED && !existsSync(folder);
  };

  const whileReading: DatasetStores['whileReading'] = async ({ dataset_id, generation }, work) => {
    if (isGone(dataset_id, generation)) {
      throw new AppError('conflict', message('dataset_replaced'));
    }
    const folder = generations.path(dataset_id, generation);
    readers.set(folder, (readers.get(folder) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (readers.get(folder) ?? 1) - 1;
      if (left > 0) readers.set(folder, left);
      else readers.delete(folder);
      const last = latest.get(dataset_id);
      if (left === 0 && typeof last === 'number' && last > generation) await deleteReplaced(dataset_id, last);
    }
  };

  return {
    open,
    whileReading,
    deleteReplaced,
    copy: (from, toDatasetId, changes) =>
      add(toDatasetId, (folder) => open(from.dataset_id, from.generation).snapshots.copyTo(folder, changes)),
    takeState: async ({ dataset_id, generation }, folder) => {
      await mkdir(folder, { recursive: true });
      return open(dataset_id, generation).snapshots.takeState(folder);
    },
    createSnapshot: ({ dataset_id, generation }, snapshotId, about) =>
      inLine(dataset_id, () =>
        open(dataset_id, generation).snapshots.create(generations.path(dataset_id), snapshotId, about),
      ),
    copySnapshot: (from, { dataset_id, snapshot_id, about }) =>
      inLine(dataset_id, () =>
        copySnapshot(placeOf(from.dataset_id, from.snapshot_id), placeOf(dataset_id, snapshot_id), about),
      ),
    restoreSnapshot: (datasetId, snapshotId, onBytes) =>
      add(datasetId, (folder) => restoreSnapshot(placeOf(datasetId, snapshotId), folder, onBytes)),
    deleteSnapshot: (datasetId, snapshotId) =>
      inLine(datasetId, async () => {
        await deleteSnapshot(placeOf(datasetId, snapshotId));
        await sweepSnapshots(generations.path(datasetId));
      }),
    create: (datasetId) => add(datasetId, () => undefined),
    remove: async (datasetId) => {
      latest.set(datasetId, REMOVED);
      await opened.closeBelow(generations.path(datasetId));
      await folders.remove(datasetId);
    },
    renew: () => void opened.renew(),
    close: () => opened.closeAll(),
  };
}
