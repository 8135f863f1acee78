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

      CREATE TABLE video (
        video_id TEXT PRIMARY KEY,
        file_id INTEGER NOT NULL UNIQUE REFERENCES file (file_id),
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        duration_s REAL,
        frames_per_second REAL,
        codec TEXT NOT NULL,
        poster_timestamp REAL NOT NULL
      ) STRICT;

      -- state: remote → pending → done or failed. A frame is a file of its own that names its video.
      CREATE TABLE file (
        file_id INTEGER PRIMARY KEY,
        source_id TEXT NOT NULL REFERENCES source (source_id),
        batch_id TEXT NOT NULL REFERENCES batch (batch_id),
        file_path TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('image', 'video')),
        origin TEXT,
        location TEXT NOT NULL,
        size_bytes INTEGER NOT NULL,
        mtime_ms REAL NOT NULL,
        video_id TEXT,
        frame_number INTEGER,
        frame_timestamp REAL,
        state TEXT NOT NULL CHECK (state IN ('remote', 'pending', 'done', 'failed')),
        problem_kind TEXT,
        problem_reason TEXT,
        UNIQUE (source_id, file_path)
      ) STRICT;
      CREATE INDEX file_waiting ON file (batch_id, state, kind, file_path, file_id) WHERE state IN ('remote', 'pending');
      CREATE INDEX file_failed ON file (file_path, file_id) WHERE state = 'failed';
      CREATE INDEX file_batch ON file (batch_id, state);

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
        exif TEXT,
        created_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX media_file ON media (file_id);
      CREATE INDEX media_content ON media (content_hash);
    `,
  },
];
