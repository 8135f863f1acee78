import type { Migration } from '../../sqlite/open-database.ts';

/** n_frames: number of frames of a dataset's videos, NULL until they are first counted. */
export const frames: Migration = {
  version: 3,
  sql: 'ALTER TABLE dataset ADD COLUMN n_frames INTEGER;',
};
