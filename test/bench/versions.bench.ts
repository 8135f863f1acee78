import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { keepBlocks } from '../../src-main/infra/blocks/blocks.ts';
import { datasetMigrations } from '../../src-main/infra/dataset-store/schema/migrations.ts';
import { openDatabase } from '../../src-main/infra/sqlite/open-database.ts';
import { seeded } from '../support/images.ts';

const ITEMS = 100_000;
const EDITS = [0, 100, 10_000];
const BLOCK_KIB = [4, 16, 64];

/** What a snapshot of 100,000 items costs in seconds and bytes: the first, and after labels of some items were changed. */
export async function measureVersions(folder: string): Promise<unknown> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'data.db');
  const db = openDatabase(file, datasetMigrations);
  const mediaIds = fill(db);
  const blocks: Record<string, unknown> = {};
  const keep = async (name: string) => {
    const copy = join(folder, 'copy.db');
    const started = performance.now();
    await db.backup(copy);
    const copiedS = seconds(started);
    for (const kib of BLOCK_KIB) {
      const begun = performance.now();
      const room = join(folder, `blocks-${kib}`);
      const kept = await keepBlocks(copy, room, { block_bytes: kib * 1024 });
      blocks[`${name}, ${kib} KiB`] = {
        copy_s: copiedS,
        blocks_s: seconds(begun),
        new_mb: toMb(kept.n_new * kib * 1024),
        share_of_blocks: Math.round((kept.n_new / kept.blocks.length) * 1000) / 1000,
        manifest_mb: toMb(kept.blocks.length * 67),
      };
    }
    await rm(copy);
  };
  await keep('first');
  const random = seeded(11);
  for (const edits of EDITS) {
    const label = db.prepare<[string, string]>(
      `INSERT INTO label (media_id, label, source) VALUES (?, ?, 'person') ON CONFLICT DO NOTHING`,
    );
    db.transaction(() => {
      for (let edit = 0; edit < edits; edit += 1) {
        label.run(mediaIds[Math.floor(random() * ITEMS)] ?? '', `edited ${edits}`);
      }
    })();
    await keep(`${edits} labels later`);
  }
  db.close();
  const files = await Promise.all(
    BLOCK_KIB.map(async (kib) => (await readdir(join(folder, `blocks-${kib}`), { recursive: true })).length),
  );
  return { items: ITEMS, data_db_mb: toMb((await stat(file)).size), block_files: files, blocks };
}

function fill(db: Database.Database): string[] {
  const random = seeded(5);
  const mediaIds = Array.from({ length: ITEMS }, () => randomUUID());
  db.exec(`INSERT INTO source (source_id, kind, root) VALUES ('s', 'folder', '/media');
    INSERT INTO batch (batch_id, source_id, kind, created_at) VALUES ('b', 's', 'folder', '2026-01-01T00:00:00Z')`);
  const file = db.prepare<[number, string, string]>(
    `INSERT INTO file (file_id, source_id, batch_id, file_path, kind, location, size_bytes, mtime_ms, state)
     VALUES (?, 's', 'b', ?, 'image', ?, 1, 1, 'done')`,
  );
  const columns = db.prepare<[], { name: string; type: string; notnull: number }>('PRAGMA table_info(media)').all();
  const media = db.prepare<Record<string, string | number | null>[]>(
    `INSERT INTO media (${columns.map(({ name }) => name).join(', ')}) VALUES (${columns.map(({ name }) => `:${name}`).join(', ')})`,
  );
  const label = db.prepare<[string, string]>(`INSERT INTO label (media_id, label, source) VALUES (?, ?, 'model')`);
  db.transaction(() => {
    for (const [row, mediaId] of mediaIds.entries()) {
      const path = `folder ${row % 100}/image ${String(row).padStart(6, '0')}.jpg`;
      file.run(row + 1, path, path);
      const plain = columns.map(({ name, type }) => [name, type === 'TEXT' ? '{}' : type === 'REAL' ? random() : row]);
      const own = { row, media_id: mediaId, file_id: row + 1, media_type: 'image', content_hash: randomUUID() };
      media.run({ ...Object.fromEntries(plain), ...own });
      label.run(mediaId, `class ${row % 80}`);
    }
  })();
  return mediaIds;
}

const seconds = (startedMs: number) => Math.round(performance.now() - startedMs) / 1000;
const toMb = (bytes: number) => Math.round(bytes / 1e5) / 10;
