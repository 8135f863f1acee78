import type { Migration } from '../../sqlite/open-database.ts';

/** What images with a border look like without it: whatever is added later is held against them too. */
export const trimmedVectors: Migration = {
  version: 17,
  sql: `
    -- vector: a signed byte a dimension, of any length.
    CREATE TABLE trimmed_vector (
      row INTEGER PRIMARY KEY,
      vector BLOB NOT NULL
    ) STRICT;
  `,
};
