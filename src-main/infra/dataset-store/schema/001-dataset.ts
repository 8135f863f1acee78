import type { Migration } from '../../sqlite/open-database.ts';

export const dataset: Migration = {
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

    -- state: remote → pending → done or failed; missing while a watched file is not there. A frame is a file of its own that names
    -- its video. Only an item whose file is done is alive.
    CREATE TABLE file (
      file_id INTEGER PRIMARY KEY,
      source_id TEXT NOT NULL REFERENCES source (source_id),
      batch_id TEXT NOT NULL REFERENCES batch (batch_id),
      file_path TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('image', 'video', 'annotation')),
      origin TEXT,
      location TEXT NOT NULL,
      size_bytes INTEGER NOT NULL,
      mtime_ms REAL NOT NULL,
      video_id TEXT,
      frame_number INTEGER,
      frame_timestamp REAL,
      state TEXT NOT NULL CHECK (state IN ('remote', 'pending', 'done', 'failed', 'missing')),
      problem_kind TEXT,
      problem_reason TEXT
    ) STRICT;
    CREATE UNIQUE INDEX file_place ON file (source_id, file_path) WHERE state <> 'missing';
    CREATE INDEX file_waiting ON file (batch_id, state, kind, file_path, file_id) WHERE state IN ('remote', 'pending');
    CREATE INDEX file_failed ON file (file_path, file_id) WHERE state = 'failed';
    CREATE INDEX file_batch ON file (batch_id, state);
    CREATE INDEX file_size ON file (size_bytes);
    CREATE INDEX file_video ON file (video_id) WHERE video_id IS NOT NULL;
    CREATE INDEX file_by_path ON file (file_path);

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

    -- What a watched folder told of and is not yet taken in; a row goes with the transaction that does.
    CREATE TABLE change (
      change_id INTEGER PRIMARY KEY,
      batch_id TEXT NOT NULL,
      source_id TEXT NOT NULL REFERENCES source (source_id),
      file_path TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('image', 'video', 'removed')),
      size_bytes INTEGER NOT NULL,
      mtime_ms REAL NOT NULL
    ) STRICT;
    CREATE INDEX change_waiting ON change (batch_id, kind, file_path, change_id);
    CREATE INDEX change_removed ON change (source_id, file_path) WHERE kind = 'removed';

    -- What annotations beside the media, people or models say of whole items.
    CREATE TABLE label (
      media_id TEXT NOT NULL REFERENCES media (media_id),
      label TEXT NOT NULL,
      class_id INTEGER,
      source TEXT NOT NULL,
      batch_id TEXT,
      PRIMARY KEY (media_id, label, source)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX label_batch ON label (batch_id);

    CREATE TABLE caption (
      media_id TEXT NOT NULL REFERENCES media (media_id),
      caption TEXT NOT NULL,
      source TEXT NOT NULL,
      batch_id TEXT,
      UNIQUE (media_id, caption, source)
    ) STRICT;
    CREATE INDEX caption_batch ON caption (batch_id);

    -- Boxes that wait for their thumbnail and vector; then they are objects.
    CREATE TABLE found_object (
      found_id INTEGER PRIMARY KEY,
      batch_id TEXT NOT NULL,
      media_id TEXT NOT NULL REFERENCES media (media_id),
      media_row INTEGER NOT NULL,
      x INTEGER NOT NULL,
      y INTEGER NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      label TEXT NOT NULL,
      class_id INTEGER,
      source TEXT NOT NULL,
      annotation_path TEXT NOT NULL,
      line INTEGER
    ) STRICT;
    CREATE INDEX found_object_batch ON found_object (batch_id, media_row, found_id);

    -- row: as that of media, in a space of its own. Boxes are in pixels of the upright picture.
    CREATE TABLE object (
      row INTEGER PRIMARY KEY,
      object_id TEXT NOT NULL UNIQUE,
      media_id TEXT NOT NULL REFERENCES media (media_id),
      batch_id TEXT NOT NULL,
      x INTEGER NOT NULL,
      y INTEGER NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      label TEXT NOT NULL,
      class_id INTEGER,
      source TEXT NOT NULL,
      thumbnail_pack INTEGER NOT NULL,
      thumbnail_offset INTEGER NOT NULL,
      thumbnail_bytes INTEGER NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX object_media ON object (media_id);
    CREATE INDEX object_batch ON object (batch_id);

    CREATE TABLE annotation_problem (
      problem_id INTEGER PRIMARY KEY,
      batch_id TEXT NOT NULL,
      source_path TEXT NOT NULL,
      line INTEGER,
      reason TEXT NOT NULL
    ) STRICT;
    CREATE INDEX annotation_problem_batch ON annotation_problem (batch_id, source_path);
  `,
};
