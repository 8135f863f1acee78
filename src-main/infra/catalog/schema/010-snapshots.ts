import type { Migration } from '../../sqlite/open-database.ts';

const NOTE = (datasetId: string) => `
  UPDATE dataset SET revision = revision + 1 WHERE dataset_id = ${datasetId};
  INSERT OR IGNORE INTO dataset_unsaved VALUES (${datasetId});`;

export const snapshots: Migration = {
  version: 10,
  sql: `
    -- Kept states of datasets, each beside a version of the same id in the dataset's folder. One that a person deleted stays here, hidden.
    -- enrichment: JSON of what the dataset was enriched with then, null without. media_folders: JSON, the originals that its items are of.
    CREATE TABLE snapshot (
      snapshot_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      reason TEXT NOT NULL CHECK (reason IN ('manual', 'creation', 'clone')),
      n_images INTEGER NOT NULL,
      n_videos INTEGER NOT NULL,
      n_objects INTEGER NOT NULL,
      n_file_errors INTEGER NOT NULL,
      preview_media_ids TEXT NOT NULL,
      enrichment TEXT,
      media_folders TEXT NOT NULL,
      training_model_id TEXT,
      training_model_name TEXT,
      is_current INTEGER NOT NULL,
      -- The order in which they were made, whatever the clock said then.
      place INTEGER NOT NULL,
      deleted_at TEXT
    ) STRICT;
    CREATE INDEX snapshot_dataset ON snapshot (dataset_id, place);
    CREATE UNIQUE INDEX snapshot_current ON snapshot (dataset_id) WHERE is_current = 1;
    CREATE TRIGGER snapshot_inserted AFTER INSERT ON snapshot BEGIN ${NOTE('new.dataset_id')} END;
    CREATE TRIGGER snapshot_updated AFTER UPDATE ON snapshot BEGIN ${NOTE('new.dataset_id')} END;

    -- Originals that no state of a dataset needs any more, until they are deleted.
    CREATE TABLE orphaned_media (
      batch_id TEXT NOT NULL,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      PRIMARY KEY (batch_id, dataset_id)
    ) STRICT, WITHOUT ROWID;

    -- kept: a task needs the dataset to stay there, whatever is written to it. SQLite changes a CHECK only by making the table anew.
    CREATE TABLE former_lock AS SELECT * FROM task_lock;
    DROP TABLE task_lock;
    CREATE TABLE task_lock (
      task_id TEXT NOT NULL REFERENCES task (task_id) ON DELETE CASCADE,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      mode TEXT NOT NULL CHECK (mode IN ('kept', 'shared', 'exclusive')),
      PRIMARY KEY (task_id, dataset_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO task_lock SELECT task_id, dataset_id, mode FROM former_lock;
    DROP TABLE former_lock;
    CREATE INDEX task_lock_dataset ON task_lock (dataset_id);
    CREATE UNIQUE INDEX task_lock_exclusive ON task_lock (dataset_id) WHERE mode = 'exclusive';
  `,
};
