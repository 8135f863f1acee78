import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import type {
  AdoptedSnapshot,
  DamagedSnapshots,
  RecordRow,
  StoredSnapshot,
} from '../../../core/ports/dataset-folders.ts';
import type { ReadLimits } from '../../../core/ports/read-limits.ts';
import type { GenerationFile, LostFile } from '../../../core/ports/state-file.ts';
import { BlockStore } from '../../blocks/block-store.ts';
import {
  type FileContent,
  isFileStored,
  namesOf,
  storeFile,
  unreadableBlocks,
  writeStoredFile,
} from '../../blocks/stored-file.ts';
import { createPace } from '../../files/read-pace.ts';
import { type OpenGeneration, placeFiles, sharePacks, takeState } from '../disk/generation-files.ts';
import { replaceFile } from '../disk/replace-file.ts';

/** Lists the parts of a snapshot. */
export interface SnapshotManifest {
  format: 1;
  /** Append-only and immutable files beside the database, stored in the snapshot's folder as hard links. */
  files: GenerationFile[];
  /** The database, in the dataset's block store. */
  database: FileContent;
  /** The snapshot's row of the catalog, which restores the row if the catalog is lost. */
  about: RecordRow;
}

/** A snapshot of a dataset. */
export interface SnapshotPlace {
  datasetFolder: string;
  snapshotId: string;
}

const MANIFEST = 'manifest.json';

/** The folder of a snapshot: `snapshots/<id>` in the dataset's folder. */
export function snapshotFolder({ datasetFolder, snapshotId }: SnapshotPlace): string {
  return join(datasetFolder, 'snapshots', snapshotId);
}

/** The block store that all snapshots of a dataset share. */
export function blocksFolder(datasetFolder: string): string {
  return join(datasetFolder, 'blocks');
}

/**
 * Creates a snapshot of the committed state of an open generation. Only blocks that no earlier snapshot has are written. The manifest is
 * written last; a folder without a manifest is no snapshot.
 */
export async function createSnapshot(
  generation: OpenGeneration,
  to: SnapshotPlace,
  about: RecordRow,
): Promise<{ n_blocks: number; n_new_blocks: number }> {
  const folder = snapshotFolder(to);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = await takeState(generation, folder, { growing: 'link' });
  return withBlocks(to, async (store) => {
    const { content, n_blocks, n_new_blocks } = await storeFile(store, join(folder, 'data.db'), {
      cut: 'pages',
      is_temporary: true,
    });
    await store.commit();
    await writeManifest(folder, { format: 1, files, database: content, about });
    return { n_blocks, n_new_blocks };
  });
}

/**
 * Writes the database of a snapshot, without its other files, to a file.
 * @throws AppError as {@link restoreSnapshot}.
 */
export async function restoreRows(from: SnapshotPlace, file: string): Promise<void> {
  const { database } = await getManifest(from);
  await withBlocks(from, (store) => writeStoredFile(store, database, file));
}

/**
 * Writes a snapshot as a whole generation to an empty folder.
 * @param onBytes Receives the bytes of the database that are written, and their total.
 * @throws AppError `not_found` without such a snapshot, `storage_failed` when a part of it is missing or damaged.
 */
export async function restoreSnapshot(
  from: SnapshotPlace,
  toFolder: string,
  onBytes?: (done: number, total: number) => void,
): Promise<void> {
  const { database, files } = await getManifest(from);
  const file = join(toFolder, 'data.db');
  await withBlocks(from, (store) => writeStoredFile(store, database, file, onBytes));
  placeFiles(files, snapshotFolder(from), toFolder);
  const db = new Database(file);
  try {
    sharePacks(db, files);
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/**
 * Copies a snapshot to another dataset by hard links. The copy takes no space and does not depend on the original.
 * @throws AppError `not_found` without such a snapshot, `storage_failed` when a part of it is missing.
 */
export async function copySnapshot(from: SnapshotPlace, to: SnapshotPlace, about: RecordRow): Promise<void> {
  const manifest = await getManifest(from);
  const folder = snapshotFolder(to);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = manifest.files.map((file) => ({ ...file, is_growing: false }));
  placeFiles(files, snapshotFolder(from), folder);
  await withBlocks(from, (store) => store.linkTo(namesOf(store, [manifest.database]), blocksFolder(to.datasetFolder)));
  await writeManifest(folder, { ...manifest, about });
}

/** Deletes a snapshot. {@link sweepSnapshots} then deletes the blocks that no other snapshot needs. */
export async function deleteSnapshot(snapshot: SnapshotPlace): Promise<void> {
  const folder = snapshotFolder(snapshot);
  await rm(join(folder, MANIFEST), { force: true });
  await rm(folder, { recursive: true, force: true });
}

/**
 * Deletes incomplete and unneeded snapshots, and the blocks that no snapshot needs.
 * @param isNeeded Decides for each complete snapshot. Default: all are needed.
 */
export async function sweepSnapshots(
  datasetFolder: string,
  isNeeded: (snapshotId: string) => boolean = () => true,
): Promise<void> {
  const databases: FileContent[] = [];
  for (const snapshotId of await listSnapshotIds(datasetFolder)) {
    const place = { datasetFolder, snapshotId };
    const manifest = isNeeded(snapshotId) ? await findManifest(place) : undefined;
    if (manifest) databases.push(manifest.database);
    else await deleteSnapshot(place);
  }
  await withBlocks({ datasetFolder }, (store) => store.sweep(namesOf(store, databases)));
}

/**
 * Reads and verifies all blocks of snapshots. Damaged blocks are dropped from their packs: if the dataset still has the same pages, the
 * next snapshot stores them again.
 */
export function findDamagedSnapshots(
  datasetFolder: string,
  snapshotIds: Iterable<string>,
  limits: ReadLimits,
): Promise<DamagedSnapshots> {
  return withBlocks({ datasetFolder }, async (store) => {
    const damaged = await store.findDamaged({ signal: limits.signal, pace: createPace(limits) });
    const found: string[] = [];
    const blocks = new Set<string>();
    const files: LostFile[] = [];
    for (const snapshotId of snapshotIds) {
      const place = { datasetFolder, snapshotId };
      const manifest = await findManifest(place).catch(undefinedIfOverwritten);
      const lost = manifest ? lostFiles(place, manifest) : [{ path: MANIFEST, bytes: 1 }];
      if (manifest && lost.length === 0 && (await isFileStored(store, manifest.database, damaged))) continue;
      for (const { path, bytes } of lost) files.push(asLost(place, path, bytes));
      found.push(snapshotId);
      if (manifest) for (const name of await unreadableBlocks(store, manifest.database, damaged)) blocks.add(name);
    }
    if (damaged.size > 0) await store.drop(damaged);
    return { snapshot_ids: found, blocks: [...blocks], files };
  });
}

/** Returns the files beside the manifest that are missing or too short. */
function lostFiles(place: SnapshotPlace, { files }: SnapshotManifest): GenerationFile[] {
  return files.filter(({ path, bytes }) => {
    const found = statSync(join(snapshotFolder(place), path), { throwIfNoEntry: false });
    return found === undefined || found.size < bytes;
  });
}

/** @param path Relative to the snapshot's folder. */
function asLost({ datasetFolder, snapshotId }: SnapshotPlace, path: string, bytes: number): LostFile {
  const inData = posix.join('datasets', basename(datasetFolder), 'snapshots', snapshotId, path);
  return { path: inData, sound: { least_bytes: bytes } };
}

/** Gives snapshots that were restored from another dataset's backup ids of their own. @returns Those that exist. */
export async function adoptSnapshots(
  datasetFolder: string,
  snapshots: readonly AdoptedSnapshot[],
): Promise<AdoptedSnapshot[]> {
  const adopted: AdoptedSnapshot[] = [];
  for (const snapshot of snapshots) {
    const previous = { datasetFolder, snapshotId: snapshot.previous_id };
    const manifest = await findManifest(previous);
    if (!manifest) continue;
    await writeManifest(snapshotFolder(previous), { ...manifest, about: snapshot.about });
    await rename(snapshotFolder(previous), snapshotFolder({ datasetFolder, snapshotId: snapshot.snapshot_id }));
    adopted.push(snapshot);
  }
  return adopted;
}

/** Complete snapshots of a dataset. */
export async function listSnapshots(datasetFolder: string): Promise<StoredSnapshot[]> {
  const found: StoredSnapshot[] = [];
  for (const snapshotId of await listSnapshotIds(datasetFolder)) {
    const manifest = await findManifest({ datasetFolder, snapshotId });
    if (manifest) found.push({ snapshot_id: snapshotId, about: manifest.about });
  }
  return found;
}

async function listSnapshotIds(datasetFolder: string): Promise<string[]> {
  const root = join(datasetFolder, 'snapshots');
  return existsSync(root) ? readdir(root) : [];
}

async function withBlocks<T>(
  { datasetFolder }: Pick<SnapshotPlace, 'datasetFolder'>,
  work: (store: BlockStore) => Promise<T>,
): Promise<T> {
  const store = await BlockStore.open(blocksFolder(datasetFolder));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function findManifest(snapshot: SnapshotPlace): Promise<SnapshotManifest | undefined> {
  try {
    return JSON.parse(await readFile(join(snapshotFolder(snapshot), MANIFEST), 'utf8')) as SnapshotManifest;
  } catch (error) {
    // The snapshot may be deleted at this moment.
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function getManifest(snapshot: SnapshotPlace): Promise<SnapshotManifest> {
  const manifest = await findManifest(snapshot);
  if (!manifest) throw new AppError('not_found', message('snapshot_not_found'));
  return manifest;
}

function writeManifest(folder: string, manifest: SnapshotManifest): Promise<void> {
  return replaceFile(join(folder, MANIFEST), JSON.stringify(manifest));
}

function undefinedIfOverwritten(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
