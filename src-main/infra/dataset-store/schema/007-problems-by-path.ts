import type { Migration } from '../../sqlite/open-database.ts';

export const problemsByPath: Migration = {
  version: 7,
  sql: `
    -- A file that was read in part is done and has a problem too.
    DROP INDEX file_failed;
    CREATE INDEX file_problem ON file (file_path, file_id) WHERE problem_kind IS NOT NULL AND state <> 'missing';
  `,
};
