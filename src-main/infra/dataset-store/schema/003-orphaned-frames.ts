import type { Migration } from '../../sqlite/open-database.ts';

export const orphanedFrames: Migration = {
  version: 3,
  sql: `
    -- Pictures of frames of former content of videos, until they are deleted.
    CREATE TABLE former_frame (
      source_id TEXT NOT NULL,
      location TEXT NOT NULL,
      PRIMARY KEY (source_id, location)
    ) STRICT, WITHOUT ROWID;
  `,
};
