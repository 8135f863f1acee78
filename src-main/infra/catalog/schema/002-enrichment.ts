import type { Migration } from '../../sqlite/open-database.ts';

export const enrichment: Migration = {
  version: 2,
  sql: `
    -- What a dataset is enriched with: a JSON object from enrichment type to model id. backgrounds: by entity type
    -- the cosines of its encoder between texts and pictures that have nothing to do with each other.
    CREATE TABLE enrichment (
      dataset_id TEXT PRIMARY KEY REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      models TEXT NOT NULL,
      backgrounds TEXT NOT NULL
    ) STRICT;
  `,
};
