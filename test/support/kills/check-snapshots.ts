import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { expect } from 'vitest';
import type { VersionManifest } from '../../../src-main/infra/dataset-store/disk/versions.ts';

/**
 * The folder of a dataset keeps what its snapshots are made of, whole, and nothing that none of them names.
 * @returns Media folders that originals of snapshots are in.
 */
export function checkSnapshots(catalog: Database.Database, datasetId: string, folder: string): string[] {
  const snapshots = catalog
    .prepare<[string], { snapshot_id: string; media_folders: string }>(
      'SELECT snapshot_id, media_folders FROM snapshot WHERE dataset_id = ? AND deleted_at IS NULL ORDER BY snapshot_id',
    )
    .all(datasetId);
  expect(namesIn(join(folder, 'versions')), `snapshots of ${datasetId}`).toEqual(
    snapshots.map(({ snapshot_id }) => snapshot_id),
  );
  const named = new Set<string>();
  for (const { snapshot_id } of snapshots) {
    const version = join(folder, 'versions', snapshot_id);
    const manifest = JSON.parse(readFileSync(join(version, 'manifest.json'), 'utf8')) as VersionManifest;
    expect(filesBelow(version), `files of ${snapshot_id}`).toEqual(
      ['manifest.json', ...manifest.files.map(({ path }) => path)].toSorted(),
    );
    for (const { path, bytes } of manifest.files) {
      expect(statSync(join(version, path)).size, path).toBeGreaterThanOrEqual(bytes);
    }
    for (const block of manifest.blocks) named.add(`${block.slice(0, 2)}/${block}`);
  }
  expect(filesBelow(join(folder, 'blocks')), `blocks of ${datasetId}`).toEqual([...named].toSorted());
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
