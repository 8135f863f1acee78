import type { Migration } from '../../sqlite/open-database.ts';
import { noteChangesOf } from './004-dataset-records.ts';

export const shares: Migration = {
  version: 9,
  sql: `
    -- Accounts that may see a dataset that is not theirs.
    CREATE TABLE dataset_share (
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      user_id TEXT NOT NULL REFERENCES user (user_id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('viewer')),
      created_at TEXT NOT NULL,
      PRIMARY KEY (dataset_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dataset_share_user ON dataset_share (user_id);
    ${noteChangesOf('dataset_share')}
  `,
};
