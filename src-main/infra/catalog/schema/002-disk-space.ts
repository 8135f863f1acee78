import type { Migration } from '../../sqlite/open-database.ts';

/** disk_bytes: size of a dataset's files in the data folder, NULL until they are first counted. */
export const diskSpace: Migration = {
  version: 2,
  sql: 'ALTER TABLE dataset ADD COLUMN disk_bytes INTEGER;',
};
