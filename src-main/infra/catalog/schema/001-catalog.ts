import type { Migration } from '../../sqlite/open-database.ts';

export const catalog: Migration = {
  version: 1,
  sql: `
    CREATE TABLE user (
      user_id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE dataset (
      dataset_id TEXT PRIMARY KEY,
      display_name TEXT NOT NULL,
      description TEXT NOT NULL,
      source_type TEXT NOT NULL,
      source_uri TEXT NOT NULL,
      source_dataset_id TEXT,
      owner_id TEXT NOT NULL REFERENCES user (user_id),
      status_new TEXT NOT NULL,
      status TEXT NOT NULL,
      progress INTEGER NOT NULL,
      n_images INTEGER NOT NULL,
      n_videos INTEGER NOT NULL,
      n_objects INTEGER NOT NULL,
      n_file_errors INTEGER NOT NULL,
      fatal_error_msg TEXT,
      generation INTEGER NOT NULL,
      preview_media_ids TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX dataset_name ON dataset (owner_id, display_name);

    CREATE TABLE task (
      task_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      task_type TEXT NOT NULL,
      status TEXT NOT NULL,
      status_message TEXT NOT NULL,
      error_message TEXT,
      created_by TEXT NOT NULL,
      input TEXT NOT NULL,
      checkpoint TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      exclusive INTEGER NOT NULL,
      step TEXT NOT NULL,
      done INTEGER NOT NULL,
      total INTEGER,
      progress_percentage INTEGER,
      start_time TEXT NOT NULL,
      end_time TEXT
    ) STRICT;
    CREATE INDEX task_dataset ON task (dataset_id, start_time);
    CREATE INDEX task_time ON task (start_time);
    CREATE UNIQUE INDEX task_exclusive ON task (dataset_id) WHERE exclusive = 1 AND status IN ('INITIALIZING', 'RUNNING');

    CREATE TABLE upload_transaction (
      trans_id INTEGER PRIMARY KEY AUTOINCREMENT,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      batch_id TEXT NOT NULL,
      state TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE media_folder (
      batch_id TEXT NOT NULL,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      PRIMARY KEY (batch_id, dataset_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE watched_folder (
      watch_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      source_id TEXT NOT NULL,
      path TEXT NOT NULL,
      exclude TEXT NOT NULL,
      paused INTEGER NOT NULL,
      last_scan_at TEXT,
      created_at TEXT NOT NULL,
      UNIQUE (dataset_id, path)
    ) STRICT;

    CREATE TABLE setting (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT;
  `,
};
