import type { Migration } from '../../sqlite/open-database.ts';

export const tasksOfTheService: Migration = {
  version: 6,
  sql: `
    -- A task may be about no dataset: fetching a model. SQLite lifts a NOT NULL only by making the table anew.
    CREATE TABLE former_task AS SELECT * FROM task;
    CREATE TABLE former_lock AS SELECT * FROM task_lock;
    DROP TABLE task_lock;
    DROP TABLE task;
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
      end_time TEXT
    ) STRICT;
    INSERT INTO task SELECT task_id, dataset_id, task_type, status, status_message, error_message, created_by, input, checkpoint,
      attempts, step, done, total, progress_percentage, start_time, end_time FROM former_task ORDER BY rowid;
    DROP TABLE former_task;
    CREATE INDEX task_dataset ON task (dataset_id, start_time);
    CREATE INDEX task_time ON task (start_time);
    CREATE TABLE task_lock (
      task_id TEXT NOT NULL REFERENCES task (task_id) ON DELETE CASCADE,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      mode TEXT NOT NULL CHECK (mode IN ('shared', 'exclusive')),
      PRIMARY KEY (task_id, dataset_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO task_lock SELECT task_id, dataset_id, mode FROM former_lock;
    DROP TABLE former_lock;
    CREATE INDEX task_lock_dataset ON task_lock (dataset_id);
    CREATE UNIQUE INDEX task_lock_exclusive ON task_lock (dataset_id) WHERE mode = 'exclusive';

    -- What a dataset's folder says of its tasks is written again.
    CREATE TRIGGER task_inserted AFTER INSERT ON task WHEN new.dataset_id IS NOT NULL BEGIN
      UPDATE dataset SET revision = revision + 1 WHERE dataset_id = new.dataset_id;
      INSERT OR IGNORE INTO dataset_unsaved VALUES (new.dataset_id);
    END;
    CREATE TRIGGER task_updated AFTER UPDATE OF status, checkpoint ON task WHEN new.dataset_id IS NOT NULL BEGIN
      UPDATE dataset SET revision = revision + 1 WHERE dataset_id = new.dataset_id;
      INSERT OR IGNORE INTO dataset_unsaved VALUES (new.dataset_id);
    END;
  `,
};
