import type { Migration } from '../../sqlite/open-database.ts';

export const taskOrder: Migration = {
  version: 8,
  sql: `
    -- The order in which tasks were begun. The clock says another where it was set back or forward.
    ALTER TABLE task ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
    UPDATE task SET place = begun.place
      FROM (SELECT task_id, row_number() OVER (ORDER BY start_time, rowid) AS place FROM task) AS begun
      WHERE begun.task_id = task.task_id;
    CREATE INDEX task_place ON task (place);
    -- What the folders of datasets say of their tasks is written again.
    UPDATE dataset SET revision = revision + 1 WHERE dataset_id IN (SELECT dataset_id FROM task);
    INSERT OR IGNORE INTO dataset_unsaved SELECT dataset_id FROM dataset;
  `,
};
