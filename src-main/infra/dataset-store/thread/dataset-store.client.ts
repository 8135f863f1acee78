import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import type { Message } from '../../../contract/messages.ts';
import type { DatasetFolders } from '../../../core/ports/dataset-folders.ts';
import type { DatasetStore, DatasetStores } from '../../../core/ports/dataset-store.ts';
import type { Log } from '../../../core/ports/log.ts';
import { GenerationFolders } from '../disk/generation-folders.ts';
import { copySnapshot, deleteSnapshot, restoreSnapshot, sweepSnapshots } from '../snapshots/stored-snapshots.ts';
import { GenerationThreads } from './generation-threads.ts';
import { storeCalls } from './store-calls.ts';

/** Each open dataset has threads, and what its readers keep of it in memory. */
export const DEFAULT_OPEN_DATASETS = 8;
const MAX_READERS = 4;
const REMOVED = 'removed';

/** A quarter of the cores: the others decode and run models. */
export function defaultReaders(): number {
  return Math.max(1, Math.min(MAX_READERS, Math.floor(availableParallelism() / 4)));
}

/** Opens dataset folders below the data folder, each with threads of its own. */
export function createDatasetStores(options: {
  entries: { writer: string; reader: string; parquet: string };
  dataFolder: string;
  /** How many datasets may be open at once; those in use are not closed for it. */
  maxOpen: () => number;
  /** How many threads read each dataset. */
  nReaders: () => number;
  folders: Pick<DatasetFolders, 'remove'>;
  /** A call found the database of a dataset damaged. */
  onDamaged: (dataset: { dataset_id: string; generation: number }, reason: Message) => void;
  log: Log;
}): DatasetStores {
  const { dataFolder, entries, folders, log } = options;
  const generations = new GenerationFolders(join(dataFolder, 'datasets'));
  const placeOf = (datasetId: string, snapshotId: string) => ({
    datasetFolder: generations.path(datasetId),
    snapshotId,
  });
  const threads = new Map<string, GenerationThreads>();
  /** The generation that a dataset has kept: calls that began before it did, and name a former one, mean it. */
  const latest = new Map<string, number | typeof REMOVED>();

  /** The end of the line of each dataset whose versions change. */
  const lines = new Map<string, Promise<unknown>>();

  const makeRoom = (opening: GenerationThreads) => {
    const open = [...threads.values()].filter((generation) => generation.isOpen && generation !== opening);
    const idle = open.filter(({ isInUse }) => !isInUse).sort((a, b) => a.usedAt - b.usedAt);
    for (const generation of idle.slice(0, Math.max(0, open.length + 1 - options.maxOpen()))) void generation.close();
  };

  /** @throws AppError `not_found` when the dataset was removed. */
  const threadsOf = (datasetId: string, generation: number): GenerationThreads => {
    const last = latest.get(datasetId) ?? generation;
    if (last === REMOVED) throw new AppError('not_found', 'Dataset not found');
    const meant = Math.max(generation, last);
    const key = `${datasetId}/${meant}`;
    const known = threads.get(key);
    if (known) return known;
    const made = new GenerationThreads({
      entries,
      location: {
        dataset_id: datasetId,
        dataFolder,
        folder: generations.path(datasetId, meant),
        parquetEntryFile: entries.parquet,
      },
      nReaders: options.nReaders,
      log,
      onOpen: makeRoom,
      onDamaged: (reason) => options.onDamaged({ dataset_id: datasetId, generation: meant }, reason),
    });
    threads.set(key, made);
    return made;
  };

  const open = (datasetId: string, generation: number): DatasetStore =>
    storeCalls(async (side, key, args) => threadsOf(datasetId, generation)[side](key, args));

  const add = (datasetId: string, write: (folder: string) => Promise<void> | void): Promise<number> => {
    if (latest.get(datasetId) === REMOVED) latest.delete(datasetId);
    return generations.add(datasetId, write);
  };

  /** What makes or deletes blocks of a dataset goes one after the other: a block that is there already must not be swept meanwhile. */
  const inLine = async <T>(datasetId: string, work: () => Promise<T>): Promise<T> => {
    const turn = Promise.allSettled([lines.get(datasetId)]).then(work);
    lines.set(datasetId, turn);
    try {
      return await turn;
    } finally {
      if (lines.get(datasetId) === turn) lines.delete(datasetId);
    }
  };

  const closeAll = async (matches: (key: string) => boolean) => {
    for (const [key, generation] of [...threads]) {
      if (!matches(key)) continue;
      threads.delete(key);
      await generation.close();
    }
  };

  return {
    open,
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
    keepOnly: async (datasetId, generation) => {
      latest.set(datasetId, generation);
      await closeAll((key) => key.startsWith(`${datasetId}/`) && key !== `${datasetId}/${generation}`);
      await generations.keepOnly(datasetId, generation);
    },
    create: (datasetId) => add(datasetId, () => undefined),
    remove: async (datasetId) => {
      latest.set(datasetId, REMOVED);
      await closeAll((key) => key.startsWith(`${datasetId}/`));
      await folders.remove(datasetId);
    },
    renew: () => {
      for (const generation of threads.values()) if (generation.isOpen && !generation.isInUse) void generation.close();
    },
    close: async () => {
      await Promise.all([...threads.values()].map((generation) => generation.close()));
      threads.clear();
    },
  };
}
