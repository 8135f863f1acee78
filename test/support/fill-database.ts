import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import { seeded } from './images.ts';

/** Fills the empty database of a dataset with images in 100 folders. The image files do not exist. @returns Ids in row order. */
export function fillDatabase(db: Database.Database, nItems: number): string[] {
  const random = seeded(5);
  const mediaIds = Array.from({ length: nItems }, () => randomUUID());
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
      const of = { row, media_id: mediaId, file_id: row + 1, media_type: 'image', content_hash: randomUUID() };
      const own = { ...of, thumbnail_pack: 0 };
      media.run({ ...Object.fromEntries(plain), ...own });
      label.run(mediaId, `class ${row % 80}`);
    }
  })();
  return mediaIds;
}
