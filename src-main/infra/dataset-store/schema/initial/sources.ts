/** Tables of sources, files and their changes. */
export const SOURCES_TABLES = `
    -- ---------------------------------------------------------------------------------------------------------------- Sources

    -- Where files come from. folder: root is an absolute local folder. stored: root is a folder of stored originals in the data folder.
    CREATE TABLE source (
      source_id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('folder', 'stored')),
      root TEXT NOT NULL
    ) STRICT;

    -- Files that one task adds.
    CREATE TABLE batch (
      batch_id TEXT PRIMARY KEY,
      source_id TEXT NOT NULL REFERENCES source (source_id),
      kind TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX batch_source ON batch (source_id);

    -- Files of media and annotations. state: remote → pending → done or failed; missing while a watched file does not exist. A video frame
    -- is a file of its own with video_id. Items of files in another state than done are not shown. problem_kind and problem_reason: why a
    -- file failed, or what was skipped of a file that is done. origin: address that it was fetched from. location: path below the source's
    -- root. frame_timestamp: seconds.
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
    CREATE INDEX file_waiting ON file (batch_id, state, file_path, file_id, kind) WHERE state IN ('remote', 'pending');
    CREATE INDEX file_problem ON file (file_path, file_id) WHERE problem_kind IS NOT NULL AND state <> 'missing';
    CREATE INDEX file_batch ON file (batch_id, state);
    CREATE INDEX file_size ON file (size_bytes);
    CREATE INDEX file_video ON file (video_id) WHERE video_id IS NOT NULL;
    CREATE INDEX file_by_path ON file (file_path);
    CREATE INDEX file_origin ON file (origin) WHERE origin IS NOT NULL;

    -- Changes reported by watched folders that are not yet imported. The importing transaction deletes them.
    CREATE TABLE change (
      change_id INTEGER PRIMARY KEY,
      batch_id TEXT NOT NULL,
      source_id TEXT NOT NULL REFERENCES source (source_id),
      file_path TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('image', 'video', 'annotation', 'removed')),
      size_bytes INTEGER NOT NULL,
      mtime_ms REAL NOT NULL
    ) STRICT;
    CREATE INDEX change_waiting ON change (batch_id, kind, file_path, change_id);
    CREATE INDEX change_removed ON change (source_id, file_path) WHERE kind = 'removed';`;
