import type { Migration } from '../../sqlite/open-database.ts';

export const modelResults: Migration = {
  version: 2,
  sql: `
    -- What models say: their id is the source, and they are more or less sure.
    ALTER TABLE label ADD COLUMN confidence REAL;
    ALTER TABLE found_object ADD COLUMN confidence REAL;
    ALTER TABLE object ADD COLUMN confidence REAL;
    ALTER TABLE object ADD COLUMN caption TEXT;
    ALTER TABLE object ADD COLUMN caption_source TEXT;

    -- Items that a model could not say anything of, and why.
    CREATE TABLE model_failure (
      media_id TEXT NOT NULL REFERENCES media (media_id) ON DELETE CASCADE,
      model_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (media_id, model_id)
    ) STRICT, WITHOUT ROWID;

    -- float32, L2-normalised, of the sentence encoder that the dataset is enriched with.
    CREATE TABLE caption_vector (
      caption_id INTEGER PRIMARY KEY,
      vector BLOB NOT NULL
    ) STRICT;
    CREATE TRIGGER caption_deleted AFTER DELETE ON caption BEGIN
      DELETE FROM caption_vector WHERE caption_id = old.rowid;
    END;

    -- Which annotation file said it, so that its next version can replace it.
    ALTER TABLE label ADD COLUMN annotation_path TEXT;
    ALTER TABLE caption ADD COLUMN annotation_path TEXT;
    ALTER TABLE object ADD COLUMN annotation_path TEXT;
    -- Set where the box is that of an object which is described anew.
    ALTER TABLE found_object ADD COLUMN object_id TEXT;

    -- Watched folders tell of annotation files too. What was waiting is seen again by the next scan.
    DROP TABLE change;
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
    CREATE INDEX change_removed ON change (source_id, file_path) WHERE kind = 'removed';
  `,
};
