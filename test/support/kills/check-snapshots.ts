import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { expect } from 'vitest';
import { BlockStore } from '../../../src-main/infra/blocks/block-store.ts';
import { PackFile } from '../../../src-main/infra/blocks/pack-file.ts';
import { type FileContent, isFileStored, namesOf as namesOfFiles } from '../../../src-main/infra/blocks/stored-file.ts';
import type { SnapshotManifest } from '../../../src-main/infra/dataset-store/snapshots/stored-snapshots.ts';

/**
 * Asserts that a dataset's folder contains the intact blocks of its snapshots and no unreferenced file.
 * @returns Media folders that contain originals of snapshots.
 */
export async function checkSnapshots(catalog: Database.Database, datasetId: string, folder: string): Promise<string[]> {
  const snapshots = catalog
    .prepare<[string], { snapshot_id: string; media_folders: string }>(
      'SELECT snapshot_id, media_folders FROM snapshot WHERE dataset_id = ? AND deleted_at IS NULL ORDER BY snapshot_id',
    )
    .all(datasetId);
  expect(namesIn(join(folder, 'snapshots')), `snapshots of ${datasetId}`).toEqual(
    snapshots.map(({ snapshot_id }) => snapshot_id),
  );
  const blocks = join(folder, 'blocks');
  const databases: FileContent[] = [];
  for (const { snapshot_id } of snapshots) {
    const snapshot = join(folder, 'snapshots', snapshot_id);
    const manifest = JSON.parse(readFileSync(join(snapshot, 'manifest.json'), 'utf8')) as SnapshotManifest;
    expect(filesBelow(snapshot), `files of ${snapshot_id}`).toEqual(
      ['manifest.json', ...manifest.files.map(({ path }) => path)].toSorted(),
    );
    for (const { path, bytes } of manifest.files) {
      expect(statSync(join(snapshot, path)).size, path).toBeGreaterThanOrEqual(bytes);
    }
    databases.push(manifest.database);
  }
  const store = await BlockStore.open(blocks);
  for (const database of databases) expect(await isFileStored(store, database), `blocks of ${datasetId}`).toBe(true);
  expect(await store.findDamaged()).toEqual(new Set());
  const named = new Set<string>();
  for await (const name of namesOfFiles(store, databases)) named.add(name);
  await store.close();
  const needed = await Promise.all(
    filesBelow(blocks).map(async (name) => (await isNeeded(join(blocks, name), named)) && name),
  );
  expect(filesBelow(blocks), `packs of ${datasetId}`).toEqual(needed.filter((name) => name !== false));
  return snapshots.flatMap(({ media_folders }) => JSON.parse(media_folders) as string[]);
}

async function isNeeded(path: string, named: ReadonlySet<string>): Promise<boolean> {
  const pack = await PackFile.open(path);
  try {
    return (await pack.readIndex()).some(({ name }) => named.has(name.toString('hex')));
  } finally {
    await pack.close();
  }
}

export function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}
