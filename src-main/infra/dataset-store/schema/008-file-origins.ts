import type { Migration } from '../../sqlite/open-database.ts';

export const fileOrigins: Migration = {
  version: 8,
  sql: `
    -- Objects and addresses that are added again are found by where they came from.
    CREATE INDEX file_origin ON file (origin) WHERE origin IS NOT NULL;
  `,
};
