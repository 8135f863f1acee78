import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { catalogMigrations } from '../../src-main/infra/catalog/schema/migrations.ts';
import { MediaRepository } from '../../src-main/infra/dataset-store/rows/media.repository.ts';
import { qualityOf } from '../../src-main/infra/dataset-store/rows/quality-columns.ts';
import { TextRepository } from '../../src-main/infra/dataset-store/rows/text.repository.ts';
import { datasetMigrations } from '../../src-main/infra/dataset-store/schema/migrations.ts';
import { type Migration, openDatabase } from '../../src-main/infra/sqlite/open-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const QUALITY = {
  mean_luma: 0.41,
  p01_luma: 0.01,
  p05_luma: 0.05,
  p50_luma: 0.4,
  p95_luma: 0.9,
  p99_luma: 0.99,
  contrast: 0.2,
  sharpness: 812.5,
  edge_energy: 11.25,
  entropy_bits: 7.5,
  colourfulness: 33.3,
  grey_share: 0.125,
};

/** What a dataset of each version may hold, written as that version wrote it. */
function fillDataset(db: Database.Database, version: number): void {
  db.exec(`
    INSERT INTO meta VALUES ('index:IMAGES', '{"count":2}');
    INSERT INTO source VALUES ('s1', 'folder', '/photos'), ('b1', 'stored', 'media/b1');
    INSERT INTO batch VALUES ('b1', 's1', 'folder', '2026-01-01T00:00:00.000Z');
    INSERT INTO file (file_id, source_id, batch_id, file_path, kind, location, size_bytes, mtime_ms, video_id, frame_number,
      frame_timestamp, state, problem_kind, problem_reason) VALUES
      (1, 's1', 'b1', 'a.jpg', 'image', 'a.jpg', 10, 1.5, NULL, NULL, NULL, 'done', NULL, NULL),
      (2, 's1', 'b1', 'v.mp4', 'video', 'v.mp4', 20, 2.5, NULL, NULL, NULL, 'done', NULL, NULL),
      (3, 'b1', 'b1', 'v.mp4/output_000001.jpg', 'image', 'frames/2/1.jpg', 5, 3.5, 'v1', 0, 0.0, 'done', NULL, NULL),
      (4, 's1', 'b1', 'broken.jpg', 'image', 'broken.jpg', 1, 4.5, NULL, NULL, NULL, 'failed', 'corrupt', 'cut short'),
      (5, 's1', 'b1', 'annotations.json', 'annotation', 'annotations.json', 9, 5.5, NULL, NULL, NULL, 'done', NULL, NULL);
    INSERT INTO video VALUES ('v1', 2, 640, 480, 1.0, 25.0, 'h264', 0.0);
    INSERT INTO annotation_problem (batch_id, source_path, line, reason) VALUES ('b1', 'annotations.json', 7, 'no such image');
    INSERT INTO change (batch_id, source_id, file_path, kind, size_bytes, mtime_ms) VALUES ('b2', 's1', 'c.jpg', 'image', 3, 6.5);
  `);
  addItem(db, version, { row: 0, media_id: 'm1', file_id: 1, media_type: 'image' });
  addItem(db, version, { row: 1, media_id: 'm2', file_id: 3, media_type: 'video_frame' });
  db.exec(`
    INSERT INTO label (media_id, label, class_id, source, batch_id) VALUES ('m1', 'cat', 3, 'Import', 'b1'), ('m1', 'pet', NULL, 'Import', 'b1');
    INSERT INTO caption (media_id, caption, source, batch_id) VALUES ('m1', 'a cat on a mat', 'Import', 'b1');
    INSERT INTO object (row, object_id, media_id, batch_id, x, y, width, height, label, class_id, source, thumbnail_pack, thumbnail_offset,
      thumbnail_bytes, created_at) VALUES (0, 'o1', 'm1', 'b1', 1, 2, 30, 40, 'cat', 3, 'Import', 0, 0, 50, '2026-01-01T00:00:00.000Z');
    INSERT INTO ${version < 10 ? 'found_object' : 'box'} (batch_id, media_id, media_row, x, y, width, height, label, class_id, source, annotation_path, line)
      VALUES ('b1', 'm2', 1, 1, 2, 3, 4, 'dog', 4, 'Import', 'annotations.json', 8);
  `);
  if (version < 2) return;
  db.exec(`
    INSERT INTO label (media_id, label, source, confidence) VALUES ('m2', 'street', 'tagger', 0.75);
    INSERT INTO model_failure VALUES ('m2', 'captioner', 'no answer');
    INSERT INTO caption_vector VALUES (1, x'0000803f');
    UPDATE object SET caption = 'a cat', caption_source = 'captioner', annotation_path = 'annotations.json' WHERE object_id = 'o1';
  `);
  if (version < 3) return;
  db.exec(`INSERT INTO former_frame (source_id, location) VALUES ('b1', 'frames/2/old.jpg')`);
}

function addItem(db: Database.Database, version: number, item: Record<string, string | number>): void {
  const quality = version < 5 ? { quality: JSON.stringify(QUALITY) } : QUALITY;
  const content = {
    width: 640,
    height: 480,
    format: 'jpeg',
    pages: 1,
    content_hash: `hash-${item.media_id}`,
    exif: '{"camera":"X"}',
  };
  const slot = { thumbnail_pack: 0, thumbnail_offset: 100, thumbnail_bytes: 50 };
  const columns = { ...item, ...content, ...slot, ...quality, created_at: '2026-01-01T00:00:00.000Z' };
  const names = Object.keys(columns);
  db.prepare(`INSERT INTO media (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`).run(
    columns,
  );
}

function fillCatalog(db: Database.Database, version: number): void {
  const exclusive = version < 5 ? '1,' : '';
  db.exec(`
    INSERT INTO user (user_id, email, name, created_at) VALUES ('u1', 'me@localhost', 'Me', '2026-01-01T00:00:00.000Z');
    INSERT INTO dataset (dataset_id, display_name, description, source_type, source_uri, owner_id, status_new, status, progress, n_images,
      n_videos, n_objects, n_file_errors, generation, preview_media_ids, created_at, updated_at) VALUES
      ('d1', 'Holiday', '', 'FOLDER', '/photos', 'u1', 'READY', 'READY', 100, 2, 1, 1, 1, 1, '["m1"]', '2026-01-01T00:00:00.000Z',
       '2026-01-01T00:00:00.000Z');
    INSERT INTO task (task_id, dataset_id, task_type, status, status_message, created_by, input, checkpoint, attempts, ${version < 5 ? 'exclusive,' : ''}
      step, done, start_time) VALUES
      ('t1', 'd1', 'DATASET_CREATION', 'COMPLETED', 'done', 'me@localhost', '{}', '{}', 1, ${exclusive} 'Publishing', 3, '2026-01-01T00:00:00.000Z'),
      ('t2', 'd1', 'MEDIA_ADDITION', 'RUNNING', 'reading', 'me@localhost', '{"batch_id":"b2"}', '{}', 1, ${exclusive} 'Reading', 3,
       '2026-01-02T00:00:00.000Z');
    INSERT INTO upload_transaction (dataset_id, batch_id, state, created_at) VALUES ('d1', 'b9', 'OPEN', '2026-01-01T00:00:00.000Z');
    INSERT INTO media_folder VALUES ('b1', 'd1');
    INSERT INTO watched_folder (watch_id, dataset_id, source_id, path, exclude, paused, created_at)
      VALUES ('w1', 'd1', 's1', '/photos', '["*.tmp"]', 0, '2026-01-01T00:00:00.000Z');
    INSERT INTO setting VALUES ('INDEX_THREADS', '2');
  `);
  if (version >= 5) db.exec(`INSERT INTO task_lock VALUES ('t2', 'd1', 'exclusive')`);
  if (version >= 2)
    db.exec(
      `INSERT INTO enrichment (dataset_id, models, backgrounds) VALUES ('d1', '{"IMAGE_TAGGING":"tagger"}', '{}')`,
    );
}

/** A file that was made and filled by the version with so many migrations, opened by this one. */
async function openFormer(
  migrations: readonly Migration[],
  version: number,
  fill: (db: Database.Database, version: number) => void,
): Promise<Database.Database> {
  const file = join(await temporaryFolder(), 'former.db');
  const former = openDatabase(file, migrations.slice(0, version));
  fill(former, version);
  former.close();
  const db = openDatabase(file, migrations);
  onTestFinished(() => void db.close());
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
  expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(db.pragma('foreign_key_check')).toEqual([]);
  return db;
}

const versions = (migrations: readonly Migration[]) => migrations.map(({ version }) => version);

it.each([
  ['data.db', datasetMigrations],
  ['catalog.db', catalogMigrations],
])('migrations of %s are numbered without gaps', (_name, migrations) => {
  expect(versions(migrations)).toEqual(migrations.map((_migration, index) => index + 1));
});

describe.each(versions(datasetMigrations))('data.db of version %i', (version) => {
  it('keeps everything that was in it', async () => {
    const db = await openFormer(datasetMigrations, version, fillDataset);
    const all = (sql: string) => db.prepare(sql).all();
    const media = new MediaRepository(db);

    expect(all('SELECT file_path, state FROM file ORDER BY file_id')).toEqual([
      { file_path: 'a.jpg', state: 'done' },
      { file_path: 'v.mp4', state: 'done' },
      { file_path: 'v.mp4/output_000001.jpg', state: 'done' },
      { file_path: 'broken.jpg', state: 'failed' },
      { file_path: 'annotations.json', state: 'done' },
    ]);
    const item = media.find('m1');
    expect(item).toMatchObject({ row: 0, width: 640, height: 480, content_hash: 'hash-m1', exif: '{"camera":"X"}' });
    expect(item && qualityOf(item)).toEqual(QUALITY);
    expect(media.find('m2')).toMatchObject({ row: 1, media_type: 'video_frame', frame_number: 0, thumbnail_bytes: 50 });
    expect(all(`SELECT media_id, label, class_id, source FROM label WHERE source = 'Import' ORDER BY label`)).toEqual([
      { media_id: 'm1', label: 'cat', class_id: 3, source: 'Import' },
      { media_id: 'm1', label: 'pet', class_id: null, source: 'Import' },
    ]);
    expect(all('SELECT media_id, caption FROM caption')).toEqual([{ media_id: 'm1', caption: 'a cat on a mat' }]);
    expect(all('SELECT object_id, row, x, y, width, height, label FROM object')).toEqual([
      { object_id: 'o1', row: 0, x: 1, y: 2, width: 30, height: 40, label: 'cat' },
    ]);
    expect(all('SELECT media_id, label, line FROM box')).toEqual([{ media_id: 'm2', label: 'dog', line: 8 }]);
    expect(all('SELECT source_path, line, reason FROM annotation_problem')).toEqual([
      { source_path: 'annotations.json', line: 7, reason: 'no such image' },
    ]);
    new TextRepository(db).refreshByPages();
    const documents = (words: string) =>
      db.prepare('SELECT rowid FROM item_text WHERE item_text MATCH ?').pluck().all(words);
    expect([documents('mats'), documents('v'), documents('id : m2')]).toEqual([[0], [1], [1]]);
    expect(all(`SELECT rowid AS row FROM object_text WHERE object_text MATCH 'id : o1'`)).toEqual([{ row: 0 }]);
    expect(all('SELECT video_id, codec FROM video')).toEqual([{ video_id: 'v1', codec: 'h264' }]);
    if (version >= 2) {
      expect(all(`SELECT confidence FROM label WHERE source = 'tagger'`)).toEqual([{ confidence: 0.75 }]);
      expect(all('SELECT * FROM model_failure')).toEqual([
        { media_id: 'm2', model_id: 'captioner', reason: 'no answer' },
      ]);
      expect(all('SELECT caption_id, length(vector) AS n FROM caption_vector')).toEqual([{ caption_id: 1, n: 4 }]);
      expect(all('SELECT caption, annotation_path FROM object')).toEqual([
        { caption: 'a cat', annotation_path: 'annotations.json' },
      ]);
      // A change that version 1 noted is seen again by the next scan.
      expect(all('SELECT file_path, kind FROM change')).toEqual([{ file_path: 'c.jpg', kind: 'image' }]);
    }
    if (version >= 3) expect(all('SELECT location FROM former_frame')).toEqual([{ location: 'frames/2/old.jpg' }]);
  });
});

describe.each(versions(catalogMigrations))('catalog.db of version %i', (version) => {
  it('keeps everything that was in it', async () => {
    const db = await openFormer(catalogMigrations, version, fillCatalog);
    const all = (sql: string) => db.prepare(sql).all();
    expect(all('SELECT dataset_id, display_name, status_new, n_images, generation FROM dataset')).toEqual([
      { dataset_id: 'd1', display_name: 'Holiday', status_new: 'READY', n_images: 2, generation: 1 },
    ]);
    expect(all('SELECT task_id, dataset_id, task_type, status, input FROM task ORDER BY task_id')).toEqual([
      { task_id: 't1', dataset_id: 'd1', task_type: 'DATASET_CREATION', status: 'COMPLETED', input: '{}' },
      { task_id: 't2', dataset_id: 'd1', task_type: 'MEDIA_ADDITION', status: 'RUNNING', input: '{"batch_id":"b2"}' },
    ]);
    expect(all('SELECT * FROM task_lock')).toEqual([{ task_id: 't2', dataset_id: 'd1', mode: 'exclusive' }]);
    expect(all('SELECT dataset_id, batch_id, state FROM upload_transaction')).toEqual([
      { dataset_id: 'd1', batch_id: 'b9', state: 'OPEN' },
    ]);
    expect(all('SELECT * FROM media_folder')).toEqual([{ batch_id: 'b1', dataset_id: 'd1' }]);
    expect(all('SELECT watch_id, path, exclude, paused FROM watched_folder')).toEqual([
      { watch_id: 'w1', path: '/photos', exclude: '["*.tmp"]', paused: 0 },
    ]);
    expect(all('SELECT email FROM user')).toEqual([{ email: 'me@localhost' }]);
    expect(all('SELECT * FROM setting')).toEqual([{ key: 'INDEX_THREADS', value: '2' }]);
    if (version >= 2) {
      expect(all('SELECT dataset_id, models FROM enrichment')).toEqual([
        { dataset_id: 'd1', models: '{"IMAGE_TAGGING":"tagger"}' },
      ]);
    }
  });
});
