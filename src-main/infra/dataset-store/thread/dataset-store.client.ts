import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { DatasetFolders } from '../../../core/ports/dataset-folders.ts';
import type { DatasetStore, DatasetStores } from '../../../core/ports/dataset-store.ts';
import type { Log } from '../../../core/ports/log.ts';
import { GenerationFolders } from '../disk/generation-folders.ts';
import { forgetVersion, layOutVersion } from '../disk/versions.ts';
import { GenerationThreads } from './generation-threads.ts';

/** Each open dataset has threads, and what its readers keep of it in memory. */
export const DEFAULT_OPEN_DATASETS = 8;
const MAX_READERS = 4;

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
  onDamaged: (datasetId: string, reason: string) => void;
  log: Log;
}): DatasetStores {
  const { dataFolder, entries, folders, log } = options;
  const generations = new GenerationFolders(join(dataFolder, 'datasets'));
  const threads = new Map<string, GenerationThreads>();

  const makeRoom = (opening: GenerationThreads) => {
    const open = [...threads.values()].filter((generation) => generation.isOpen && generation !== opening);
    const idle = open.filter(({ isInUse }) => !isInUse).sort((a, b) => a.usedAt - b.usedAt);
    for (const generation of idle.slice(0, Math.max(0, open.length + 1 - options.maxOpen()))) void generation.close();
  };

  const open = (datasetId: string, generation: number): DatasetStore => {
    const key = `${datasetId}/${generation}`;
    const known = threads.get(key);
    if (known) return known.store;
    const opened = new GenerationThreads({
      entries,
      location: {
        dataset_id: datasetId,
        dataFolder,
        folder: generations.path(datasetId, generation),
        parquetEntryFile: entries.parquet,
      },
      n_readers: options.nReaders(),
      log,
      onOpen: makeRoom,
      onDamaged: (reason) => options.onDamaged(datasetId, reason),
    });
    threads.set(key, opened);
    return opened.store;
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
      generations.add(toDatasetId, (folder) => open(from.dataset_id, from.generation).write.copyTo(folder, changes)),
    takeState: async ({ dataset_id, generation }, folder) => {
      await mkdir(folder, { recursive: true });
      return open(dataset_id, generation).write.takeState(folder);
    },
    keepVersion: ({ dataset_id, generation }, versionId) =>
      open(dataset_id, generation).write.keepVersion(generations.path(dataset_id), versionId),
    layOut: ({ dataset_id, version_id }, toDatasetId) =>
      generations.add(toDatasetId, (folder) => layOutVersion(generations.path(dataset_id), version_id, folder)),
    forgetVersion: (datasetId, versionId) => forgetVersion(generations.path(datasetId), versionId),
    keepOnly: async (datasetId, generation) => {
      const kept = String(generation);
      await closeAll((key) => key.startsWith(`${datasetId}/`) && key !== `${datasetId}/${kept}`);
      await generations.keepOnly(datasetId, generation);
    },
    create: (datasetId) => generations.add(datasetId, () => undefined),
    remove: async (datasetId) => {
      await closeAll((key) => key.startsWith(`${datasetId}/`));
      await folders.remove(datasetId);
    },
    close: async () => {
      await Promise.all([...threads.values()].map((generation) => generation.close()));
      threads.clear();
    },
  };
}
