import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../contract/errors.ts';
import type { KeptVersion, RecordRow } from '../../../core/ports/dataset-folders.ts';
import { joinBlocks, keepBlocks, shareBlocks, sweepBlocks } from '../../blocks/blocks.ts';
import { type GenerationFile, placeFiles, sharePacks, takeState } from './generation-files.ts';

/** What a kept state of a generation is made of. */
export interface VersionManifest {
  format: 1;
  /** Append-only and immutable files beside the database. They lie in the version's folder by hard link, so nobody can delete them. */
  files: GenerationFile[];
  /** SHA-256 of the blocks of its database in order; they lie in the dataset's `blocks/`. */
  blocks: string[];
  /** What the catalog knew of it when it was made, for the day on which that is lost. */
  about: RecordRow;
}

const MANIFEST = 'manifest.json';

/** Where a dataset keeps versions: `versions/<version>/` and the blocks that all of them share. */
export function versionFolder(datasetFolder: string, versionId: string): string {
  return join(datasetFolder, 'versions', versionId);
}

/**
 * Keeps the state that an open generation has committed by now: what changed since the last kept one is all that it costs. The manifest is
 * written last; without it the version does not exist.
 */
export async function keepVersion(
  generation: { db: Database.Database; folder: string },
  datasetFolder: string,
  versionId: string,
  about: RecordRow,
): Promise<{ n_blocks: number; n_new_blocks: number }> {
  const folder = versionFolder(datasetFolder, versionId);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = await takeState(generation, folder, { growing: 'link' });
  const copy = join(folder, 'data.db');
  const { blocks, n_new } = await keepBlocks(copy, join(datasetFolder, 'blocks'));
  await rm(copy);
  const manifest: VersionManifest = { format: 1, files, blocks, about };
  await replaceFile(join(folder, MANIFEST), JSON.stringify(manifest));
  return { n_blocks: blocks.length, n_new_blocks: n_new };
}

/**
 * Writes the database of a kept version alone to a file.
 * @throws AppError as {@link layOutVersion}.
 */
export async function layOutRows(datasetFolder: string, versionId: string, file: string): Promise<void> {
  const manifest = await readManifest(versionFolder(datasetFolder, versionId));
  if (!manifest) throw new AppError('not_found', 'There is no such version');
  await joinBlocks(manifest.blocks, join(datasetFolder, 'blocks'), file);
}

/**
 * Lays a kept version out as a whole generation in an empty folder.
 * @throws AppError `not_found` where there is no such version, `storage_failed` where a part of it is missing or damaged.
 */
export async function layOutVersion(datasetFolder: string, versionId: string, toFolder: string): Promise<void> {
  const folder = versionFolder(datasetFolder, versionId);
  const manifest = await readManifest(folder);
  if (!manifest) throw new AppError('not_found', 'There is no such version');
  const file = join(toFolder, 'data.db');
  await joinBlocks(manifest.blocks, join(datasetFolder, 'blocks'), file);
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
 * Gives another dataset a version of its own that holds what a version of this one does, by hard link: it costs no space, and neither
 * needs the other from then on.
 * @throws AppError `not_found` where there is no such version, `storage_failed` where a part of it is missing.
 */
export async function shareVersion(
  from: { datasetFolder: string; versionId: string },
  to: { datasetFolder: string; versionId: string; about: RecordRow },
): Promise<void> {
  const [folder, toFolder] = [from, to].map((one) => versionFolder(one.datasetFolder, one.versionId)) as [
    string,
    string,
  ];
  const manifest = await readManifest(folder);
  if (!manifest) throw new AppError('not_found', 'There is no such version');
  await rm(toFolder, { recursive: true, force: true });
  await mkdir(toFolder, { recursive: true });
  placeFiles(
    manifest.files.map((file) => ({ ...file, is_growing: false })),
    folder,
    toFolder,
  );
  await shareBlocks(manifest.blocks, join(from.datasetFolder, 'blocks'), join(to.datasetFolder, 'blocks'));
  await replaceFile(join(toFolder, MANIFEST), JSON.stringify({ ...manifest, about: to.about }));
}

/** Deletes a kept version; {@link sweepVersions} deletes the blocks that no other names. */
export async function forgetVersion(datasetFolder: string, versionId: string): Promise<void> {
  const folder = versionFolder(datasetFolder, versionId);
  await rm(join(folder, MANIFEST), { force: true });
  await rm(folder, { recursive: true, force: true });
}

/**
 * Deletes what nothing names: versions that a crash left half done, those that are not wanted any more, and blocks.
 * @param isWanted Of whole versions; all when left out.
 */
export async function sweepVersions(
  datasetFolder: string,
  isWanted: (versionId: string) => boolean = () => true,
): Promise<void> {
  const named = new Set<string>();
  for (const versionId of await listVersionIds(datasetFolder)) {
    const manifest = isWanted(versionId) ? await readManifest(versionFolder(datasetFolder, versionId)) : undefined;
    if (!manifest) await forgetVersion(datasetFolder, versionId);
    for (const block of manifest?.blocks ?? []) named.add(block);
  }
  await sweepBlocks(join(datasetFolder, 'blocks'), (name) => named.has(name));
}

/** The whole versions of a dataset. */
export async function listVersions(datasetFolder: string): Promise<KeptVersion[]> {
  const found: KeptVersion[] = [];
  for (const versionId of await listVersionIds(datasetFolder)) {
    const manifest = await readManifest(versionFolder(datasetFolder, versionId));
    if (manifest) found.push({ version_id: versionId, about: manifest.about });
  }
  return found;
}

async function listVersionIds(datasetFolder: string): Promise<string[]> {
  const root = join(datasetFolder, 'versions');
  return existsSync(root) ? readdir(root) : [];
}

async function readManifest(folder: string): Promise<VersionManifest | undefined> {
  const file = join(folder, MANIFEST);
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as VersionManifest) : undefined;
}

async function replaceFile(file: string, content: string): Promise<void> {
  const target = await open(`${file}.partial`, 'w');
  try {
    await target.writeFile(content);
    await target.sync();
  } finally {
    await target.close();
  }
  await rename(`${file}.partial`, file);
}
