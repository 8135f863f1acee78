import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { catalogMigrations } from '../../src-main/infra/catalog/schema/migrations.ts';
import { datasetMigrations } from '../../src-main/infra/dataset-store/schema/migrations.ts';
import { type Migration, openDatabase } from '../../src-main/infra/sqlite/open-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Rows of tables that reference each other in the released schema of version 1. Never edit them after the release. */
const FILLED = {
  'catalog.db': `
    INSERT INTO user (user_id, email, name, created_at) VALUES ('u1', 'me@localhost', 'Me', '2026-01-01T00:00:00.000Z');
    INSERT INTO dataset (dataset_id, display_name, description, source_type, source_uri, owner_id, status_new, status, progress, n_images,
      n_videos, n_objects, n_file_errors, generation, preview_media_ids, created_at, updated_at) VALUES
      ('d1', 'Holiday', '', 'FOLDER', '/photos', 'u1', 'READY', 'READY', 100, 2, 1, 1, 1, 1, '["m1"]', '2026-01-01T00:00:00.000Z',
       '2026-01-01T00:00:00.000Z');
    INSERT INTO task (task_id, dataset_id, task_type, status, status_message, created_by, input, checkpoint, attempts, step, done,
      start_time) VALUES
      ('t1', 'd1', 'MEDIA_ADDITION', 'RUNNING', 'reading', 'me@localhost', '{}', '{}', 1, 'Reading', 3, '2026-01-02T00:00:00.000Z');
    INSERT INTO task_lock VALUES ('t1', 'd1', 'exclusive');`,
  'data.db': `
    INSERT INTO source VALUES ('s1', 'folder', '/photos');
    INSERT INTO batch VALUES ('b1', 's1', 'folder', '2026-01-01T00:00:00.000Z');
    INSERT INTO file (file_id, source_id, batch_id, file_path, kind, location, size_bytes, mtime_ms, state) VALUES
      (1, 's1', 'b1', 'a.jpg', 'image', 'a.jpg', 10, 1.5, 'done');
    INSERT INTO media (row, media_id, file_id, media_type, width, height, format, pages, content_hash, thumbnail_pack, thumbnail_offset,
      thumbnail_bytes, thumbnail_crc32, mean_luma, p01_luma, p05_luma, p50_luma, p95_luma, p99_luma, contrast, sharpness, edge_energy,
      edge_sharpness, blown_share, entropy_bits, colourfulness, grey_share, created_at) VALUES (0, 'm1', 1, 'image', 640, 480, 'jpeg', 1, 'hash', 0, 0, 50, 7, 0.5, 0,
      0.1, 0.5, 0.9, 1, 0.2, 100, 10, 30, 0, 7, 20, 0, '2026-01-01T00:00:00.000Z');
    INSERT INTO label (media_id, label, source) VALUES ('m1', 'cat', 'Import');`,
};

describe.each([
  ['catalog.db', catalogMigrations, 'dataset'],
  ['data.db', datasetMigrations, 'media'],
] as const)('%s', (name, migrations, table) => {
  const known = migrations.length;
  const addColumn: Migration = {
    version: known + 1,
    sql: `ALTER TABLE ${table} ADD COLUMN added TEXT; UPDATE ${table} SET added = 'by a migration';`,
  };
  const failing: Migration = {
    version: known + 2,
    sql: `UPDATE ${table} SET added = 'lost'; SELECT * FROM no_such_table;`,
  };

  /** A version-1 database with rows, and functions to open it with other programs. */
  async function makeFilled() {
    const file = join(await temporaryFolder(), name);
    const db = openDatabase(file, migrations.slice(0, 1));
    db.exec(FILLED[name]);
    db.close();
    const open = (by: readonly Migration[]) => {
      const opened = openDatabase(file, by);
      onTestFinished(() => void opened.close());
      return opened;
    };
    return { file, open };
  }

  const versionOf = (db: Database.Database) => db.pragma('user_version', { simple: true });
  const columnsOf = (db: Database.Database) =>
    db.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();

  it('has migrations that are numbered without gaps', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_migration, index) => index + 1));
  });

  it('of version 1 keeps its rows when this version opens it', async () => {
    const { open } = await makeFilled();
    const db = open(migrations);
    expect(versionOf(db)).toBe(known);
    expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(db.pragma('foreign_key_check')).toEqual([]);
    expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(1);
  });

  it('is copied before a migration, and keeps its rows', async () => {
    const { file, open } = await makeFilled();
    open(migrations).close();
    const copy = `${file}.before-${known + 1}`;
    expect(existsSync(copy)).toBe(false);

    const db = open([...migrations, addColumn]);
    expect(versionOf(db)).toBe(known + 1);
    expect(db.prepare(`SELECT added FROM ${table}`).pluck().all()).toEqual(['by a migration']);
    expect(db.pragma('foreign_key_check')).toEqual([]);
    const before = new Database(copy, { readonly: true });
    onTestFinished(() => void before.close());
    expect(versionOf(before)).toBe(known);
    expect(before.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(1);
    expect(columnsOf(before)).not.toContain('added');
  });

  it('stays at the last successful migration', async () => {
    const { open } = await makeFilled();
    expect(() => open([...migrations, addColumn, failing])).toThrow('no_such_table');
    const db = open([...migrations, addColumn]);
    expect(versionOf(db)).toBe(known + 1);
    expect(db.prepare(`SELECT added FROM ${table}`).pluck().all()).toEqual(['by a migration']);
  });

  it('is refused, unchanged, when a newer version wrote it', async () => {
    const { open } = await makeFilled();
    open([...migrations, addColumn]).close();
    expect(() => open(migrations)).toThrow(AppError);
    expect(() => open(migrations)).toThrow(
      `${name} was written by a newer version of Vitrine (schema ${known + 1}, this version knows ${known})`,
    );
    expect(columnsOf(open([...migrations, addColumn]))).toContain('added');
  });
});
