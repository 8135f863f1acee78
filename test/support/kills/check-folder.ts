import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { until } from '../api.ts';
import { checkSnapshots, filesBelow, namesIn } from './check-snapshots.ts';

type DatasetRow = Record<'dataset_id' | 'status_new', string> & { generation: number };

/** Asserts that the databases in a data folder are intact and that no file is unreferenced. Call it while no task runs. */
export async function checkFolder(data: string): Promise<void> {
  // Files of deleted datasets are deleted in the background, and the mark of the deletion last.
  const datasetsFolder = join(data, 'datasets');
  await until(() => namesIn(datasetsFolder).every((id) => !existsSync(join(datasetsFolder, id, 'deleted.json'))));
  const catalog = new Database(join(data, 'catalog.db'), { readonly: true });
  try {
    expectWhole(catalog, 'catalog.db');
    const datasets = catalog.prepare<[], DatasetRow>('SELECT dataset_id, generation, status_new FROM dataset').all();
    expect(namesIn(datasetsFolder)).toEqual(datasets.map(({ dataset_id }) => dataset_id).toSorted());
    const originals = datasets.flatMap((dataset) => checkDataset(data, dataset));
    const kept: string[] = [];
    for (const { dataset_id } of datasets) {
      kept.push(...(await checkSnapshots(catalog, dataset_id, join(data, 'datasets', dataset_id))));
    }
    const ofSnapshots = filesBelow(join(data, 'media')).filter((path) => kept.includes(path.split('/')[0] ?? ''));
    expect(filesBelow(join(data, 'media')), 'originals that nothing needs').toEqual(
      [...new Set([...originals, ...ofSnapshots])].toSorted(),
    );
    expect(catalog.prepare('SELECT * FROM orphaned_media').all(), 'originals that are to be deleted').toEqual([]);
    const held = catalog.prepare<[], string>('SELECT DISTINCT batch_id FROM media_folder').pluck().all();
    for (const batch of namesIn(join(data, 'media'))) expect(held).toContain(batch);
    const made = catalog.prepare<[], string>('SELECT export_id FROM export WHERE size_bytes IS NOT NULL').pluck().all();
    expect(filesBelow(join(data, 'exports')), 'files of exports').toEqual(made.map((id) => `${id}.zip`).toSorted());
  } finally {
    catalog.close();
  }
  expect(filesBelow(join(data, 'temporary')), 'temporary files').toEqual([]);
  expect(filesBelow(join(data, 'recovered')), 'what was set aside').toEqual([]);
}

/** @returns Originals of the dataset's items, relative to the folder of all originals. */
function checkDataset(data: string, { dataset_id: datasetId, generation, status_new }: DatasetRow): string[] {
  const folder = join(data, 'datasets', datasetId);
  // The record may be in the middle of being rewritten.
  const known = new Set([String(generation), 'dataset.json', 'dataset.json.partial', 'snapshots', 'blocks', 'imports']);
  expect(filesBelow(join(folder, 'imports')), 'files of values that no import waits for').toEqual([]);
  expect(
    namesIn(folder).filter((name) => !known.has(name)),
    `beside generation ${generation} of ${datasetId}`,
  ).toEqual([]);
  const database = join(folder, String(generation), 'data.db');
  if ((status_new === 'DRAFT' || status_new === 'ERROR') && !existsSync(database)) {
    // A new dataset's database is created when it is first needed. Creation can be stopped before that.
    expect(namesIn(join(folder, String(generation)))).toEqual([]);
    return [];
  }
  const db = new Database(database, { readonly: true });
  try {
    expectWhole(db, datasetId);
    checkGeneration(db, join(folder, String(generation)));
    return db
      .prepare<[], string>(
        `SELECT DISTINCT root || '/' || location FROM file JOIN source USING (source_id)
         WHERE source.kind = 'stored' AND location IS NOT NULL`,
      )
      .pluck()
      .all()
      .map((path) => path.replace(/^media\//, ''));
  } finally {
    db.close();
  }
}

function checkGeneration(db: Database.Database, folder: string): void {
  const packs = (table: string) =>
    db
      .prepare<[], number>(`SELECT DISTINCT thumbnail_pack FROM ${table}`)
      .pluck()
      .all()
      .map((pack) => `${String(pack).padStart(6, '0')}.pack`)
      .toSorted();
  expect(namesIn(join(folder, 'thumbnails')), 'packs of thumbnails').toEqual(packs('media'));
  expect(namesIn(join(folder, 'object-thumbnails')), 'packs of objects').toEqual(packs('object'));
  // The version before the published index is kept, because it may still be in use.
  const serials = indexFilesIn(folder).map((name) => /^(.+?)-?(\d+)\.\w+$/.exec(name));
  expect(serials, `index files ${indexFilesIn(folder)}`).not.toContain(null);
  const stems = Map.groupBy(serials, (found) => found?.[1]);
  for (const found of stems.values()) expect(new Set(found.map((one) => one?.[2])).size).toBeLessThanOrEqual(2);
  for (const file of filesBelow(join(folder, 'vectors')))
    expect(file).toMatch(/\/(manifest\.json|000000\.(f32|crc|i8))$/);
}

function expectWhole(db: Database.Database, name: string): void {
  expect(db.pragma('integrity_check', { simple: true }), name).toBe('ok');
  expect(db.pragma('foreign_key_check'), name).toEqual([]);
}

/** Names of the files of indexes. Corners of images belong to no index, and may be missing. */
function indexFilesIn(folder: string): string[] {
  return namesIn(join(folder, 'index')).filter((name) => name !== 'image-corners.bin');
}
