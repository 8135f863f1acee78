import type { Migration } from '../../sqlite/open-database.ts';

export const namesRepeat: Migration = {
  version: 3,
  sql: `
    -- Scripts give the same name again and again.
    DROP INDEX dataset_name;
    CREATE INDEX dataset_name ON dataset (owner_id, display_name);
  `,
};
