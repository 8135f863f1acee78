import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { Columns } from '../../../src-main/infra/dataset-store/columns/columns.ts';
import { DataVersions } from '../../../src-main/infra/dataset-store/columns/data-versions.ts';
import { LiveRows } from '../../../src-main/infra/dataset-store/columns/live-rows.ts';
import { MetaRepository } from '../../../src-main/infra/dataset-store/disk/meta.repository.ts';
import { SHOWN_CONFIDENCES } from '../../../src-main/infra/dataset-store/labels/labels-of-rows.ts';
import { datasetMigrations } from '../../../src-main/infra/dataset-store/schema/migrations.ts';
import { openDatabase } from '../../../src-main/infra/sqlite/open-database.ts';
import { fillDatabase } from '../../support/fill-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Number of items from which columns are cached in a file. */
const ITEMS = 20_000;
const LATER = 80;

async function openDataset() {
  const folder = await temporaryFolder();
  const db = openDatabase(join(folder, 'data.db'), datasetMigrations);
  onTestFinished(() => void db.close());
  fillDatabase(db, ITEMS + LATER);
  const versions = new DataVersions(new MetaRepository(db));
  const read = (count = ITEMS) => {
    const { items, labels } = new Columns({ db, versions, folder }).read({ IMAGES: count, OBJECTS: 0 });
    const folders = Array.from(items.folderOf.subarray(0, count), (number) => items.folders[number]);
    return {
      sizes: items.widths.slice(0, count),
      folders,
      named: (value: string) => {
        const rows: number[] = [];
        items.names.forEachMatch({ op: 'contains', value: [value] }, 0, (row) => rows.push(row));
        return rows;
      },
      labelsOf: (row: number) => labels.IMAGES.labelsOf(row, SHOWN_CONFIDENCES.IMAGES),
      with: (label: string) => labels.IMAGES.with(label, count, SHOWN_CONFIDENCES.IMAGES).count,
    };
  };
  return { db, folder, versions, read };
}

function relabel(db: Database.Database, label: string): void {
  db.prepare<[string]>(`UPDATE label SET label = ? WHERE label = 'class 7'`).run(label);
}

it('reads columns from their file while the data is unchanged, otherwise from the database', async () => {
  const { db, folder, versions, read } = await openDataset();
  const first = read();
  expect(first.with('class 7')).toBe(ITEMS / 80);

  // Changing the data without a new version is not detectable. The old values in the result show that the columns were read from the file.
  relabel(db, 'other');
  const again = read();
  expect([again.with('class 7'), again.with('other')]).toEqual([ITEMS / 80, 0]);
  expect(again.folders).toEqual(first.folders);
  expect(again.sizes).toEqual(first.sizes);
  expect(again.named('7.jpg')).toEqual(first.named('7.jpg'));

  versions.noteAnnotations();
  expect([read().with('class 7'), read().with('other')]).toEqual([0, ITEMS / 80]);

  const file = join(folder, 'columns.derived');
  const bytes = readFileSync(file);
  bytes[bytes.length - 9] = ~(bytes[bytes.length - 9] ?? 0);
  writeFileSync(file, bytes);
  db.exec(`UPDATE label SET label = 'class 7' WHERE label = 'other'`);
  expect(read().with('class 7')).toBe(ITEMS / 80);

  db.exec('UPDATE media SET width = 5 WHERE row = 3');
  versions.noteRows();
  expect(read().sizes[3]).toBe(5);
});

it('extends stored columns with later rows', async () => {
  const { folder, read } = await openDataset();
  read();
  const extended = read(ITEMS + LATER);
  rmSync(join(folder, 'columns.derived'));
  const anew = read(ITEMS + LATER);
  expect(extended.folders).toEqual(anew.folders);
  expect(extended.sizes).toEqual(anew.sizes);
  expect(extended.named('.jpg')).toEqual(anew.named('.jpg'));
  for (let row = ITEMS - 2; row < ITEMS + LATER; row += 1) expect(extended.labelsOf(row)).toEqual(anew.labelsOf(row));
});

it('treats rows of existing files as live, except for replaced content', async () => {
  const { db, versions } = await openDataset();
  const live = new LiveRows(db, versions);
  expect(live.read('IMAGES', ITEMS).count).toBe(ITEMS);
  expect(live.read('IMAGES', 100).count).toBe(100);
  db.exec(`UPDATE file SET state = 'missing' WHERE file_id IN (8, 9)`);
  db.exec(`UPDATE media SET row = ${ITEMS + LATER} WHERE row = 20`);
  const alive = live.read('IMAGES', ITEMS + LATER + 10);
  expect(alive.count).toBe(ITEMS + LATER - 2);
  const rows = [6, 7, 8, 9, 20, ITEMS + LATER, ITEMS + LATER + 1];
  expect(rows.filter((row) => alive.has(row))).toEqual([6, 9, ITEMS + LATER]);
});
