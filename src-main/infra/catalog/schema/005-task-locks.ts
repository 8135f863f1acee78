import type { Migration } from '../../sqlite/open-database.ts';

export const taskLocks: Migration = {
  version: 5,
  sql: `
    -- What open tasks hold. One task alone writes to a dataset; a task that reads one shares it.
    CREATE TABLE task_lock (
      task_id TEXT NOT NULL REFERENCES task (task_id) ON DELETE CASCADE,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      mode TEXT NOT NULL CHECK (mode IN ('shared', 'exclusive')),
      PRIMARY KEY (task_id, dataset_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX task_lock_dataset ON task_lock (dataset_id);
    CREATE UNIQUE INDEX task_lock_exclusive ON task_lock (dataset_id) WHERE mode = 'exclusive';
    INSERT INTO task_lock SELECT task_id, dataset_id, 'exclusive' FROM task
      WHERE exclusive = 1 AND status IN ('INITIALIZING', 'RUNNING');
    INSERT INTO task_lock SELECT task_id, dataset.dataset_id, 'shared' FROM task
      JOIN dataset ON dataset.dataset_id = json_extract(task.input, '$.source_dataset_id')
      WHERE task_type = 'ENRICHMENT' AND task.status IN ('INITIALIZING', 'RUNNING');
    DROP INDEX task_exclusive;
    ALTER TABLE task DROP COLUMN exclusive;
  `,
};
