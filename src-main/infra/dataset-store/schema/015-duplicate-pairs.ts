import type { Migration } from '../../sqlite/open-database.ts';

/** What geometry found of items: rows keep their content, so a pair stays what it is. Those of equal bytes are not among them. */
export const duplicatePairs: Migration = {
  version: 15,
  sql: `
    -- row_a is the lower row. share: of the picture that agrees, 0 to 1.
    CREATE TABLE duplicate_pair (
      row_a INTEGER NOT NULL,
      row_b INTEGER NOT NULL,
      share REAL NOT NULL,
      PRIMARY KEY (row_a, row_b)
    ) STRICT, WITHOUT ROWID;
  `,
};
