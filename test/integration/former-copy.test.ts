import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { MetaRepository } from '../../src-main/infra/dataset-store/rows/meta.repository.ts';
import { datasetMigrations } from '../../src-main/infra/dataset-store/schema/migrations.ts';
import { openDatabase } from '../../src-main/infra/sqlite/open-database.ts';
import { VectorSegments } from '../../src-main/infra/vectors/built-in/vector-segments.ts';
import { runIndexJob } from '../../src-main/infra/vectors/index-job.ts';
import { until } from '../support/api.ts';
import { QUALITY } from '../support/in-process-compute.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestCore } from '../support/test-core.ts';

const COPY = '5f0c1a52-6a55-4b57-9b0e-3a5b8f1f0c11';
const CREATED = '2026-01-01T00:00:00.000Z';
const CUTS = [0.9, 0.8, 0.7, 0.6, 0.5];
/** Two are the same to the byte. */
const CONTENTS = ['one', 'two', 'three', 'four', 'five', 'two'];
const mediaIdOf = (row: number) => `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`;

/** A copy as it was when the encoder that it was enriched with made all its vectors, before the migration that knows spaces. */
async function writeFormerCopy(data: string, photos: string): Promise<void> {
  const folder = join(data, 'datasets', COPY, '2');
  for (const name of ['index', 'thumbnails']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'thumbnails', '000000.pack'), new Uint8Array(CONTENTS.length * 10));
  const space = { encoder_id: 'an-encoder', dim: 4 };
  const vectors = VectorSegments.open(join(folder, 'vectors', 'IMAGES'), space);
  CONTENTS.forEach((content, row) => {
    const angle = content.length + content.charCodeAt(0);
    vectors.writeRows(row, Float32Array.of(Math.cos(angle), Math.sin(angle), 0, 0));
  });
  const file = (extension: string) => join(folder, 'index', `IMAGES-3.${extension}`);
  await runIndexJob(
    {
      mode: 'full',
      vectors_folder: vectors.folder,
      dim: space.dim,
      count: CONTENTS.length,
      graph_out: file('knn'),
      clusters_out: file('clusters'),
      uniqueness_out: file('uniqueness'),
      lists_out: file('lists'),
      linkage_thresholds: CUTS,
      threads: 1,
    },
    {},
  );
  vectors.close();
  const db = openDatabase(
    join(folder, 'data.db'),
    datasetMigrations.filter(({ version }) => version < 6),
  );
  const meta = new MetaRepository(db);
  meta.set('vector_space:IMAGES', space);
  meta.set('index:IMAGES', { serial: 3, count: CONTENTS.length, cuts: CUTS });
  db.prepare(`INSERT INTO source VALUES ('s', 'folder', ?)`).run(photos);
  db.exec(`INSERT INTO batch VALUES ('b', 's', 'folder', '${CREATED}')`);
  for (const [row, content] of CONTENTS.entries()) {
    const name = `${row}.jpg`;
    writeFileSync(join(photos, name), content);
    db.prepare(
      `INSERT INTO file (file_id, source_id, batch_id, file_path, kind, location, size_bytes, mtime_ms, state)
       VALUES (?, 's', 'b', ?, 'image', ?, ?, 1, 'done')`,
    ).run(row + 1, name, name, content.length);
    const media = {
      row,
      media_id: mediaIdOf(row),
      file_id: row + 1,
      media_type: 'image',
      width: 16,
      height: 16,
      format: 'png',
      pages: 1,
      content_hash: createHash('sha256').update(content).digest('hex'),
      thumbnail_pack: 0,
      thumbnail_offset: row * 10,
      thumbnail_bytes: 10,
      created_at: CREATED,
      ...QUALITY,
    };
    const names = Object.keys(media);
    db.prepare(`INSERT INTO media (${names}) VALUES (${names.map((column) => `:${column}`)})`).run(media);
  }
  db.close();
  const catalog = new Database(join(data, 'catalog.db'));
  catalog.exec(`
    INSERT INTO dataset (dataset_id, display_name, description, source_type, source_uri, owner_id, status_new, status, progress, n_images,
      n_videos, n_objects, n_file_errors, generation, preview_media_ids, created_at, updated_at)
    SELECT '${COPY}', 'Holiday (enriched)', '', 'VL', '/photos', user_id, 'READY', 'READY', 100, ${CONTENTS.length}, 0, 0, 0, 2, '["${mediaIdOf(0)}"]',
      '${CREATED}', '${CREATED}' FROM user;
    INSERT INTO enrichment (dataset_id, models, backgrounds) VALUES ('${COPY}', '{"MULTIMODEL_IMAGE_ENCODING":"an-encoder"}', '{}');
  `);
  catalog.close();
}

it('a copy that was enriched before there were looks is browsed at once and gets them from its originals', async () => {
  const data = await temporaryFolder();
  const photos = await temporaryFolder();
  const empty = await createTestCore({ data });
  await empty.close();
  await writeFormerCopy(data, photos);

  const { call, close } = await createTestCore({ data });
  onTestFinished(close);
  const shown = await call('explore', { dataset_id: COPY, threshold: 4 });
  expect(shown.metadata.total_items).toBe(CONTENTS.length);

  const item = (row: number) => call('get_dataset_image', { dataset_id: COPY, image_id: mediaIdOf(row) });
  await until(
    () => item(0),
    ({ uniqueness_score }) => uniqueness_score !== null,
  );
  await until(
    () => call('get_dataset', { dataset_id: COPY }),
    ({ status_new }) => status_new === 'READY',
  );
  const scores = await Promise.all(CONTENTS.map(async (_content, row) => (await item(row)).uniqueness_score ?? -1));
  expect([scores[1], scores[5]]).toEqual([0, 0]);
  expect(Math.min(...scores.filter((_score, row) => row !== 1 && row !== 5))).toBeGreaterThan(0);
  const { events } = await call('get_recovery', {});
  expect(events.map(({ detail }) => detail).join()).toContain('6 vectors of the looks of images are missing');

  const { task_id } = await call('find_duplicates', { dataset_id: COPY });
  await until(
    async () =>
      (await call('list_tasks', { with_service: true })).tasks.find((task) => task.task_id === task_id)?.status,
    (status) => status === 'COMPLETED',
  );
  const same = await call('explore', { dataset_id: COPY, duplicate_threshold: 1 });
  expect(same.clusters.map(({ previews }) => previews.map(({ media_id }) => media_id).sort())).toEqual([
    [mediaIdOf(1), mediaIdOf(5)],
  ]);
  // Its clusters are of what it was enriched with, as before.
  expect((await call('explore', { dataset_id: COPY, threshold: 4 })).metadata.total_items).toBe(CONTENTS.length);
});
