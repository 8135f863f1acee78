import type { Migration } from '../../sqlite/open-database.ts';

export const wantedEncoder: Migration = {
  version: 7,
  sql: `
    -- The encoder that a dataset gets as soon as that is here.
    ALTER TABLE enrichment ADD COLUMN wanted_encoder TEXT;
  `,
};
