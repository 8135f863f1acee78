import type { Migration } from '../../sqlite/open-database.ts';

export const problemsOnce: Migration = {
  version: 9,
  sql: `
    -- A row of annotations may say several things of a file; what is wrong with the file is told once.
    DELETE FROM annotation_problem WHERE problem_id NOT IN (
      SELECT min(problem_id) FROM annotation_problem GROUP BY batch_id, source_path, line, reason);
    DROP INDEX annotation_problem_batch;
    CREATE UNIQUE INDEX annotation_problem_once ON annotation_problem (batch_id, source_path, ifnull(line, 0), reason);
  `,
};
