import type { Migration } from '../../sqlite/open-database.ts';

export const replacedObjects: Migration = {
  version: 16,
  sql: `
    -- Objects that annotation files do not say any more: shown until the index is published that has those in their place.
    CREATE TABLE replaced_object (
      row INTEGER PRIMARY KEY REFERENCES object (row) ON DELETE CASCADE ON UPDATE CASCADE,
      batch_id TEXT NOT NULL
    ) STRICT;
    CREATE INDEX replaced_object_batch ON replaced_object (batch_id);
  `,
};
