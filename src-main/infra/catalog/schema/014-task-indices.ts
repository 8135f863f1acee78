import type { Migration } from '../../sqlite/open-database.ts';

export const taskIndices: Migration = {
  version: 14,
  sql: `
    -- What lists and counts of tasks look at is in an index, and the few that have not ended are found among many that have.
    DROP INDEX task_place;
    DROP INDEX task_dataset;
    CREATE INDEX task_order ON task (place, task_type, dataset_id);
    CREATE INDEX task_dataset ON task (dataset_id, task_type, created_by);
    CREATE INDEX task_kind ON task (task_type, place);
    CREATE INDEX task_status ON task (status, task_type);
  `,
};
