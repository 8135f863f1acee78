import { type Dirent, existsSync } from 'node:fs';
import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetFolders, DatasetRecord, FoundFolder } from '../../../core/ports/dataset-folders.ts';
import type { Log } from '../../../core/ports/log.ts';
import { setAside } from '../../set-aside.ts';
import type { openVectorEngine } from '../../vectors/open-engine.ts';
import { adoptSnapshots, findDamagedSnapshots, listSnapshots, sweepSnapshots } from '../snapshots/stored-snapshots.ts';
import { deleteGenerations } from './delete-generations.ts';
import { GenerationFolders, generationsAmong } from './generation-folders.ts';
import { inspectFolder } from './inspect-generation.ts';
import { readGenerationFacts } from './read-generation-facts.ts';
import { replaceFile } from './replace-file.ts';

const RECORD = 'dataset.json';
/** Name of the record of a dataset whose deletion has started. */
const DELETED = 'deleted.json';

/** Returns access to the dataset folders below the data folder: reads, writes and deletes their records and generations. */
export function createDatasetFolders(
  dataFolder: string,
  deletion: { log: Log; openEngine?: typeof openVectorEngine },
): DatasetFolders {
  const root = join(dataFolder, 'datasets');
  const generations = new GenerationFolders(root);
  const inFolder = (datasetId: string, name: string) => join(generations.path(datasetId), name);

  const find = async (datasetId: string): Promise<FoundFolder> => {
    // Every start does this for every dataset.
    const folder = generations.path(datasetId);
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.map(({ name }) => name);
    const isDeleted = names.includes(DELETED);
    const record = await readRecord(join(folder, isDeleted ? DELETED : RECORD));
    return {
      dataset_id: datasetId,
      record: typeof record === 'object' && record.dataset_id === datasetId ? record : undefined,
      is_deleted: isDeleted,
      generations: generationsAmong(names),
      is_empty: await areEmpty(folder, entries),
    };
  };

  return {
    list: async () => {
      const entries = await readdir(root, { withFileTypes: true });
      return Promise.all(entries.filter((entry) => entry.isDirectory()).map((entry) => find(entry.name)));
    },
    countBytes: (datasetId) => countBytes(generations.path(datasetId)),
    readFacts: async (datasetId) => {
      for (const generation of (await generations.list(datasetId)).toReversed()) {
        const facts = readGenerationFacts(generations.path(datasetId, generation));
        if (facts) return { generation, ...facts };
      }
      return undefined;
    },
    writeRecord: async (record) => {
      if ((await readRecord(inFolder(record.dataset_id, DELETED))) !== 'missing') return;
      await replaceFile(inFolder(record.dataset_id, RECORD), JSON.stringify(record, null, 1)).catch(unlessMissing);
    },
    markDeleted: async (datasetId) => {
      try {
        await rename(inFolder(datasetId, RECORD), inFolder(datasetId, DELETED));
      } catch (error) {
        unlessMissing(error);
        await replaceFile(inFolder(datasetId, DELETED), '{}').catch(unlessMissing);
      }
    },
    unmarkDeleted: (datasetId) =>
      rename(inFolder(datasetId, DELETED), inFolder(datasetId, RECORD)).catch(unlessMissing),
    remove: async (datasetId) => {
      const folder = generations.path(datasetId);
      if (!existsSync(folder) || !(await deleteGenerations(folder, () => true, deletion))) return;
      const names = await readdir(folder);
      for (const name of names.filter((name) => name !== DELETED)) {
        await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
    inspect: (datasetId, generation) => inspectFolder(generations.path(datasetId, generation)),
    findDamagedSnapshots: (datasetId, snapshotIds, limits) =>
      findDamagedSnapshots(generations.path(datasetId), snapshotIds, limits),
    listSnapshots: (datasetId) => listSnapshots(generations.path(datasetId)),
    adoptSnapshots: (datasetId, snapshots) => adoptSnapshots(generations.path(datasetId), snapshots),
    sweep: async (datasetId, { generation, generations: others, isNeeded }) => {
      await sweepSnapshots(generations.path(datasetId), isNeeded);
      // The dataset's inspection reports a missing generation. Until then nothing may be written in its place.
      const isThere = (await generations.list(datasetId)).includes(generation);
      const isUnneeded = (found: number) => found !== generation && !others.includes(found);
      if (isThere) await deleteGenerations(generations.path(datasetId), isUnneeded, deletion);
    },
    deleteGenerations: async (datasetId, isUnneeded) => {
      await deleteGenerations(generations.path(datasetId), isUnneeded, deletion);
    },
    setAside: (datasetId) => setAside(dataFolder, generations.path(datasetId), 'datasets'),
  };
}

/** Reads a record. Returns `unreadable` for a record that cannot be parsed; the folder is then identified by its other contents. */
async function readRecord(file: string): Promise<DatasetRecord | 'missing' | 'unreadable'> {
  try {
    const record = JSON.parse(await readFile(file, 'utf8')) as Partial<DatasetRecord> | null;
    const isWhole = record?.format === 1 && record.dataset !== undefined && record.owner !== undefined;
    return isWhole && record.rows !== undefined ? (record as DatasetRecord) : 'unreadable';
  } catch (error) {
    if (error instanceof SyntaxError) return 'unreadable';
    unlessMissing(error);
    return 'missing';
  }
}

/** Whether the entries of a folder are nothing but folders without files. */
async function areEmpty(folder: string, entries: readonly Dirent[]): Promise<boolean> {
  if (!entries.every((entry) => entry.isDirectory())) return false;
  for (const { name } of entries) {
    const inner = join(folder, name);
    if (!(await areEmpty(inner, await readdir(inner, { withFileTypes: true })))) return false;
  }
  return true;
}

async function countBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(unlessMissing);
  const counted = new Set<number>();
  let bytes = 0;
  for (const entry of entries ?? []) {
    const file = entry.isFile() ? await lstat(join(entry.parentPath, entry.name)).catch(unlessMissing) : undefined;
    if (file === undefined || counted.has(file.ino)) continue;
    // Snapshots share files by hard link.
    if (file.nlink > 1) counted.add(file.ino);
    bytes += file.size;
  }
  return bytes;
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
