import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { expect } from 'vitest';
import { namesIn as namesInList } from '../../../src-main/infra/blocks/kept-pages.ts';
import { PagePacks } from '../../../src-main/infra/blocks/page-packs.ts';
import type { SnapshotManifest } from '../../../src-main/infra/dataset-store/snapshots/stored-snapshots.ts';

/**
 * The folder of a dataset keeps what its snapshots are made of, whole, and nothing that none of them names.
 * @returns Media folders that originals of snapshots are in.
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
  const packs = await PagePacks.open(blocks);
  const named = new Set<string>();
  for (const { snapshot_id } of snapshots) {
    const version = join(folder, 'snapshots', snapshot_id);
    const manifest = JSON.parse(readFileSync(join(version, 'manifest.json'), 'utf8')) as SnapshotManifest;
    expect(filesBelow(version), `files of ${snapshot_id}`).toEqual(
      ['manifest.json', ...manifest.files.map(({ path }) => path)].toSorted(),
    );
    for (const { path, bytes } of manifest.files) {
      expect(statSync(join(version, path)).size, path).toBeGreaterThanOrEqual(bytes);
    }
    for (const list of manifest.lists) {
      named.add(list);
      for (const name of namesInList(await packs.read(list))) named.add(name);
    }
  }
  expect(
    [...named].filter((name) => !packs.has(name)),
    `missing blocks of ${datasetId}`,
  ).toEqual([]);
  expect(await packs.findDamaged(new AbortController().signal)).toEqual(new Set());
  const needed = packs.packs.filter((pack) => pack.blocks.some(({ name }) => named.has(name)));
  expect(filesBelow(blocks), `packs of ${datasetId}`).toEqual(needed.map(({ path }) => path.slice(blocks.length + 1)));
  await packs.close();
  return snapshots.flatMap(({ media_folders }) => JSON.parse(media_folders) as string[]);
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
