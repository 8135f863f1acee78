import { markUnsaved, markUnsavedOnChangesOf } from './mark-unsaved.ts';

/** Tables of tasks, uploads and watched folders. */
export const TASKS_TABLES = `
    -- ---------------------------------------------------------------------------------------------------------------- Tasks

    -- Background tasks, written by the task service and the task runner. dataset_id is NULL for tasks of the service, such as model
    -- downloads. input and checkpoint: JSON. attempts: runs that a crash ended since the last checkpoint. done and total: units of the
    -- present step; total is NULL when it is not known.
    CREATE TABLE task (
      task_id TEXT PRIMARY KEY,
      dataset_id TEXT REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      task_type TEXT NOT NULL,
      status TEXT NOT NULL,
      status_message TEXT NOT NULL,
      error_message TEXT,
      created_by TEXT NOT NULL,
      input TEXT NOT NULL,
      checkpoint TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      step TEXT NOT NULL,
      done INTEGER NOT NULL,
      total INTEGER,
      progress_percentage INTEGER,
      start_time TEXT NOT NULL,
      end_time TEXT,
      place INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX task_time ON task (start_time);
    CREATE INDEX task_order ON task (place, task_type, dataset_id);
    CREATE INDEX task_dataset ON task (dataset_id, task_type, created_by);
    CREATE INDEX task_kind ON task (task_type, place);
    CREATE INDEX task_status ON task (status, task_type);
    CREATE TRIGGER task_inserted AFTER INSERT ON task WHEN new.dataset_id IS NOT NULL BEGIN ${markUnsaved('new.dataset_id')} END;
    CREATE TRIGGER task_updated AFTER UPDATE OF status, checkpoint ON task WHEN new.dataset_id IS NOT NULL BEGIN
      ${markUnsaved('new.dataset_id')}
    END;

    -- Datasets that open tasks hold. kept: the dataset must stay, its content may change. shared: its content must stay. exclusive: only
    -- this task changes its content.
    CREATE TABLE task_lock (
      task_id TEXT NOT NULL REFERENCES task (task_id) ON DELETE CASCADE,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      mode TEXT NOT NULL CHECK (mode IN ('kept', 'shared', 'exclusive')),
      PRIMARY KEY (task_id, dataset_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX task_lock_dataset ON task_lock (dataset_id);
    CREATE UNIQUE INDEX task_lock_exclusive ON task_lock (dataset_id) WHERE mode = 'exclusive';

    -- ---------------------------------------------------------------------------------------------------------------- Sources

    -- Upload transactions of drafts, written by the ingestion service. state: open or closed.
    CREATE TABLE upload_transaction (
      trans_id INTEGER PRIMARY KEY AUTOINCREMENT,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      batch_id TEXT NOT NULL,
      state TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
    ${markUnsavedOnChangesOf('upload_transaction')}

    -- Folders of stored originals (media/<batch_id>) and the datasets that use them. A copy of a dataset uses the folders of its source.
    CREATE TABLE media_folder (
      batch_id TEXT NOT NULL,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      PRIMARY KEY (batch_id, dataset_id)
    ) STRICT, WITHOUT ROWID;
    ${markUnsavedOnChangesOf('media_folder')}

    -- Batches whose files a request is adding, until their task starts. One that is there at a start was interrupted.
    CREATE TABLE receiving_batch (
      batch_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE
    ) STRICT;

    -- Folders of stored originals that no state of a dataset uses any more, until they are deleted.
    CREATE TABLE orphaned_media (
      batch_id TEXT NOT NULL,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      PRIMARY KEY (batch_id, dataset_id)
    ) STRICT, WITHOUT ROWID;

    -- Local folders whose changes a dataset follows, written by the watching service. exclude: JSON array of patterns.
    CREATE TABLE watched_folder (
      watch_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      source_id TEXT NOT NULL,
      path TEXT NOT NULL,
      exclude TEXT NOT NULL,
      paused INTEGER NOT NULL,
      last_scan_at TEXT,
      created_at TEXT NOT NULL,
      UNIQUE (dataset_id, path)
    ) STRICT;
    ${markUnsavedOnChangesOf('watched_folder')}`;
