import type { Migration } from '../sqlite/open-database.ts';

export const datasetMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE meta (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE source (
        source_id TEXT PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('folder', 'stored')),
        root TEXT NOT NULL
      ) STRICT;

      CREATE TABLE batch (
        batch_id TEXT PRIMARY KEY,
        source_id TEXT NOT NULL REFERENCES source (source_id),
        kind TEXT NOT NULL,
        created_at TEXT NOT NULL
      ) STRICT;

      CREATE TABLE file (
        file_id INTEGER PRIMARY KEY,
        source_id TEXT NOT NULL REFERENCES source (source_id),
        batch_id TEXT NOT NULL REFERENCES batch (batch_id),
        file_path TEXT NOT NULL,
        location TEXT NOT NULL,
        size_bytes INTEGER NOT NULL,
        mtime_ms REAL NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'failed')),
        problem_kind TEXT,
        problem_reason TEXT,
        UNIQUE (source_id, file_path)
      ) STRICT;
      CREATE INDEX file_pending ON file (file_path, file_id) WHERE state = 'pending';
      CREATE INDEX file_failed ON file (file_path, file_id) WHERE state = 'failed';

      -- row: the item's place in the vectors, the neighbour graph and the cluster files; dense and append-only.
      CREATE TABLE media (
        row INTEGER PRIMARY KEY,
        media_id TEXT NOT NULL UNIQUE,
        file_id INTEGER NOT NULL REFERENCES file (file_id),
        media_type TEXT NOT NULL CHECK (media_type IN ('image', 'video_frame')),
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        format TEXT NOT NULL,
        pages INTEGER NOT NULL,
        content_hash TEXT NOT NULL,
        thumbnail_pack INTEGER NOT NULL,
        thumbnail_offset INTEGER NOT NULL,
        thumbnail_bytes INTEGER NOT NULL,
        quality TEXT NOT NULL,
        created_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX media_file ON media (file_id);
      CREATE INDEX media_content ON media (content_hash);
    `,
  },
];
