import type { Migration } from '../../sqlite/open-database.ts';

export const exportsOfDatasets: Migration = {
  version: 11,
  sql: `
    -- What was exported, or is to be. How far it is, its task says, which has its id; one that was too large has none.
    CREATE TABLE export (
      export_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      created_at TEXT NOT NULL,
      is_rejected INTEGER NOT NULL,
      -- JSON: what was asked for.
      options TEXT NOT NULL,
      -- Deflated bits of rows, as base64; they mean those of this generation. Empty once they are written.
      chosen TEXT NOT NULL,
      generation INTEGER NOT NULL,
      entities_count INTEGER NOT NULL,
      result_message TEXT NOT NULL,
      size_bytes INTEGER
    ) STRICT;
    CREATE INDEX export_dataset ON export (dataset_id, created_at);
  `,
};
