import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../contract/errors.ts';
import type { AdoptedSnapshot, RecordRow, StoredSnapshot } from '../../../core/ports/dataset-folders.ts';
import {
  dropDamaged,
  joinPages,
  keepPages,
  namesIn,
  readNames,
  sharePages,
  sweepPages,
} from '../../blocks/kept-pages.ts';
import { PagePacks } from '../../blocks/page-packs.ts';
import { type GenerationFile, placeFiles, sharePacks, takeState } from '../disk/generation-files.ts';
import { replaceFile } from '../disk/replace-file.ts';

/** Lists the parts of a snapshot. */
export interface SnapshotManifest {
  format: 1;
  /** Append-only and immutable files beside the database, stored in the snapshot's folder as hard links. */
  files: GenerationFile[];
  /** Names of the blocks that list the blocks of the database, in order. All of these are in the dataset's `blocks/`. */
  lists: string[];
  /** The snapshot's row of the catalog, which restores the row if the catalog is lost. */
  about: RecordRow;
}

const MANIFEST = 'manifest.json';

/** The folder of a snapshot. All snapshots of a dataset share `blocks/` beside `snapshots/`. */
export function snapshotFolder(datasetFolder: string, snapshotId: string): string {
  return join(datasetFolder, 'snapshots', snapshotId);
}

/**
 * Creates a snapshot of the committed state of an open generation. Only blocks that no earlier snapshot has are written. The manifest is
 * written last; a folder without a manifest is no snapshot.
 */
export async function createSnapshot(
  generation: { db: Database.Database; folder: string },
  datasetFolder: string,
  snapshotId: string,
  about: RecordRow,
): Promise<{ n_blocks: number; n_new_blocks: number }> {
  const folder = snapshotFolder(datasetFolder, snapshotId);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = await takeState(generation, folder, { growing: 'link' });
  const { lists, ...counts } = await keepPages(join(folder, 'data.db'), blocksFolder(datasetFolder));
  await writeManifest(folder, { format: 1, files, lists, about });
  return counts;
}

/**
 * Writes the database of a snapshot, without its other files, to a file.
 * @throws AppError as {@link restoreSnapshot}.
 */
export async function restoreRows(datasetFolder: string, snapshotId: string, file: string): Promise<void> {
  const manifest = await readManifest(snapshotFolder(datasetFolder, snapshotId));
  if (!manifest) throw new AppError('not_found', 'Snapshot not found');
  await joinPages(manifest.lists, blocksFolder(datasetFolder), file);
}

/**
 * Writes a snapshot as a whole generation to an empty folder.
 * @param onBytes Receives the bytes of the database that are written, and their total.
 * @throws AppError `not_found` without such a snapshot, `storage_failed` when a part of it is missing or damaged.
 */
export async function restoreSnapshot(
  datasetFolder: string,
  snapshotId: string,
  toFolder: string,
  onBytes?: (done: number, total: number) => void,
): Promise<void> {
  const folder = snapshotFolder(datasetFolder, snapshotId);
  const manifest = await readManifest(folder);
  if (!manifest) throw new AppError('not_found', 'Snapshot not found');
  const file = join(toFolder, 'data.db');
  await joinPages(manifest.lists, blocksFolder(datasetFolder), file, onBytes);
  placeFiles(manifest.files, folder, toFolder);
  const db = new Database(file);
  try {
    sharePacks(db, manifest.files);
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/**
 * Copies a snapshot to another dataset by hard links. The copy takes no space and does not depend on the original.
 * @throws AppError `not_found` without such a snapshot, `storage_failed` when a part of it is missing.
 */
export async function copySnapshot(
  from: { datasetFolder: string; snapshotId: string },
  to: { datasetFolder: string; snapshotId: string; about: RecordRow },
): Promise<void> {
  const [folder, toFolder] = [from, to].map((one) => snapshotFolder(one.datasetFolder, one.snapshotId)) as [
    string,
    string,
  ];
  const manifest = await readManifest(folder);
  if (!manifest) throw new AppError('not_found', 'Snapshot not found');
  await rm(toFolder, { recursive: true, force: true });
  await mkdir(toFolder, { recursive: true });
  placeFiles(
    manifest.files.map((file) => ({ ...file, is_growing: false })),
    folder,
    toFolder,
  );
  await sharePages(manifest.lists, blocksFolder(from.datasetFolder), blocksFolder(to.datasetFolder));
  await writeManifest(toFolder, { ...manifest, about: to.about });
}

/** Deletes a snapshot. {@link sweepSnapshots} then deletes the blocks that no other snapshot needs. */
export async function deleteSnapshot(datasetFolder: string, snapshotId: string): Promise<void> {
  const folder = snapshotFolder(datasetFolder, snapshotId);
  await rm(join(folder, MANIFEST), { force: true });
  await rm(folder, { recursive: true, force: true });
}

/**
 * Deletes incomplete and unwanted snapshots, and the blocks that no snapshot needs.
 * @param isWanted Decides for each complete snapshot. Default: all are wanted.
 */
export async function sweepSnapshots(
  datasetFolder: string,
  isWanted: (snapshotId: string) => boolean = () => true,
): Promise<void> {
  const manifests: SnapshotManifest[] = [];
  for (const snapshotId of await listSnapshotIds(datasetFolder)) {
    const manifest = isWanted(snapshotId) ? await readManifest(snapshotFolder(datasetFolder, snapshotId)) : undefined;
    if (manifest) manifests.push(manifest);
    else await deleteSnapshot(datasetFolder, snapshotId);
  }
  const folder = blocksFolder(datasetFolder);
  const packs = await PagePacks.open(folder);
  try {
    const named = await namedBlocks(manifests, packs);
    if (named) await sweepPages(packs, folder, named);
  } finally {
    await packs.close();
  }
}

/** @returns Undefined when a list is damaged: the blocks that it names are not known then, so none may be deleted. */
async function namedBlocks(
  manifests: readonly SnapshotManifest[],
  packs: PagePacks,
): Promise<ReadonlySet<string> | undefined> {
  const named = new Set<string>();
  try {
    for (const list of new Set(manifests.flatMap(({ lists }) => lists))) {
      named.add(list);
      for (const name of namesIn(await packs.read(list))) named.add(name);
    }
    return named;
  } catch (error) {
    if (error instanceof AppError && error.code === 'storage_failed') return undefined;
    throw error;
  }
}

/**
 * Reads and verifies all blocks of snapshots. Damaged blocks are dropped from their packs: if the dataset still has the same pages, the next
 * snapshot stores them again.
 * @returns Ids of the snapshots that cannot be restored.
 */
export async function findDamagedSnapshots(
  datasetFolder: string,
  snapshotIds: Iterable<string>,
  signal: AbortSignal,
): Promise<string[]> {
  const folder = blocksFolder(datasetFolder);
  const packs = await PagePacks.open(folder);
  try {
    const damaged = await packs.findDamaged(signal);
    const isSound = (name: string) => packs.has(name) && !damaged.has(name);
    const found: string[] = [];
    for (const snapshotId of snapshotIds) {
      const manifest = await readManifest(snapshotFolder(datasetFolder, snapshotId));
      const isWhole =
        manifest !== undefined &&
        hasFiles(snapshotFolder(datasetFolder, snapshotId), manifest) &&
        manifest.lists.every(isSound) &&
        (await readNames(manifest.lists, packs)).every(isSound);
      if (!isWhole) found.push(snapshotId);
    }
    if (damaged.size > 0) await dropDamaged(packs, folder, damaged);
    return found;
  } finally {
    await packs.close();
  }
}

/** Whether the files beside the manifest exist and are long enough. */
function hasFiles(folder: string, { files }: SnapshotManifest): boolean {
  return files.every(({ path, bytes }) => {
    const found = statSync(join(folder, path), { throwIfNoEntry: false });
    return found !== undefined && found.size >= bytes;
  });
}

/** Gives snapshots that were restored from another dataset's backup ids of their own. @returns Those that exist. */
export async function adoptSnapshots(
  datasetFolder: string,
  snapshots: readonly AdoptedSnapshot[],
): Promise<AdoptedSnapshot[]> {
  const adopted: AdoptedSnapshot[] = [];
  for (const snapshot of snapshots) {
    const folder = snapshotFolder(datasetFolder, snapshot.previous_id);
    const manifest = await readManifest(folder);
    if (!manifest) continue;
    await writeManifest(folder, { ...manifest, about: snapshot.about });
    await rename(folder, snapshotFolder(datasetFolder, snapshot.snapshot_id));
    adopted.push(snapshot);
  }
  return adopted;
}

/** Complete snapshots of a dataset. */
export async function listSnapshots(datasetFolder: string): Promise<StoredSnapshot[]> {
  const found: StoredSnapshot[] = [];
  for (const snapshotId of await listSnapshotIds(datasetFolder)) {
    const manifest = await readManifest(snapshotFolder(datasetFolder, snapshotId));
    if (manifest) found.push({ snapshot_id: snapshotId, about: manifest.about });
  }
  return found;
}

async function listSnapshotIds(datasetFolder: string): Promise<string[]> {
  const root = join(datasetFolder, 'snapshots');
  return existsSync(root) ? readdir(root) : [];
}

function blocksFolder(datasetFolder: string): string {
  return join(datasetFolder, 'blocks');
}

async function readManifest(folder: string): Promise<SnapshotManifest | undefined> {
  const file = join(folder, MANIFEST);
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as SnapshotManifest) : undefined;
}

function writeManifest(folder: string, manifest: SnapshotManifest): Promise<void> {
  return replaceFile(join(folder, MANIFEST), JSON.stringify(manifest));
}
