import { existsSync, readdirSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../contract/errors.ts';
import { joinBlocks, keepBlocks, sweepBlocks } from '../../blocks/blocks.ts';
import { type GenerationFile, placeFiles, sharePacks, takeState } from './generation-files.ts';

/** What a kept state of a generation is made of. */
export interface VersionManifest {
  format: 1;
  /** Append-only and immutable files beside the database. They lie in the version's folder by hard link, so nobody can delete them. */
  files: GenerationFile[];
  /** SHA-256 of the blocks of its database in order; they lie in the dataset's `blocks/`. */
  blocks: string[];
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
): Promise<{ n_blocks: number; n_new_blocks: number }> {
  const folder = versionFolder(datasetFolder, versionId);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = await takeState(generation, folder, { growing: 'link' });
  const copy = join(folder, 'data.db');
  const { blocks, n_new } = await keepBlocks(copy, join(datasetFolder, 'blocks'));
  await rm(copy);
  const manifest: VersionManifest = { format: 1, files, blocks };
  await replaceFile(join(folder, MANIFEST), JSON.stringify(manifest));
  return { n_blocks: blocks.length, n_new_blocks: n_new };
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

/** Deletes a kept version, and the blocks that no other names. */
export async function forgetVersion(datasetFolder: string, versionId: string): Promise<void> {
  await rm(join(versionFolder(datasetFolder, versionId), MANIFEST), { force: true });
  await sweepVersions(datasetFolder);
}

/** Deletes what no manifest names: versions that a crash left half done, and blocks. */
export async function sweepVersions(datasetFolder: string): Promise<void> {
  const root = join(datasetFolder, 'versions');
  if (!existsSync(root)) return;
  const named = new Set<string>();
  for (const versionId of readdirSync(root)) {
    const manifest = await readManifest(join(root, versionId));
    if (!manifest) await rm(join(root, versionId), { recursive: true, force: true });
    for (const block of manifest?.blocks ?? []) named.add(block);
  }
  await sweepBlocks(join(datasetFolder, 'blocks'), (name) => named.has(name));
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
