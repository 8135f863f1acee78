import type { Migration } from '../../sqlite/open-database.ts';

/** What a dataset's folder says of it is written again when one of these changes; progress alone is not worth it. */
const TOLD_COLUMNS = [
  'display_name',
  'description',
  'source_type',
  'source_uri',
  'source_dataset_id',
  'owner_id',
  'status_new',
  'status',
  'n_images',
  'n_videos',
  'n_objects',
  'n_file_errors',
  'fatal_error_msg',
  'generation',
  'preview_media_ids',
].join(', ');

const NOTE = (datasetId: string) => `
  UPDATE dataset SET revision = revision + 1 WHERE dataset_id = ${datasetId};
  INSERT OR IGNORE INTO dataset_unsaved VALUES (${datasetId});`;

/** Triggers that note changes of a table whose rows belong to datasets. */
export const noteChangesOf = (table: string) => `
  CREATE TRIGGER ${table}_inserted AFTER INSERT ON ${table} BEGIN ${NOTE('new.dataset_id')} END;
  CREATE TRIGGER ${table}_updated AFTER UPDATE ON ${table} BEGIN ${NOTE('new.dataset_id')} END;
  CREATE TRIGGER ${table}_deleted AFTER DELETE ON ${table} BEGIN ${NOTE('old.dataset_id')} END;`;

export const datasetRecords: Migration = {
  version: 4,
  sql: `
    -- Counts the changes that a dataset's folder has to tell of; dataset_unsaved names those that are not written there yet.
    ALTER TABLE dataset ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
    CREATE TABLE dataset_unsaved (
      dataset_id TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    INSERT INTO dataset_unsaved SELECT dataset_id FROM dataset;

    CREATE TRIGGER dataset_inserted AFTER INSERT ON dataset BEGIN
      INSERT OR IGNORE INTO dataset_unsaved VALUES (new.dataset_id);
    END;
    CREATE TRIGGER dataset_updated AFTER UPDATE OF ${TOLD_COLUMNS} ON dataset BEGIN ${NOTE('new.dataset_id')} END;
    ${noteChangesOf('enrichment')}
    ${noteChangesOf('media_folder')}
    ${noteChangesOf('watched_folder')}
    ${noteChangesOf('upload_transaction')}
    CREATE TRIGGER task_inserted AFTER INSERT ON task BEGIN ${NOTE('new.dataset_id')} END;
    CREATE TRIGGER task_updated AFTER UPDATE OF status, checkpoint ON task BEGIN ${NOTE('new.dataset_id')} END;

    -- What a start found beside the catalog, for people to read.
    CREATE TABLE recovery_event (
      event_id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      kind TEXT NOT NULL,
      dataset_id TEXT,
      name TEXT NOT NULL,
      detail TEXT NOT NULL,
      acknowledged INTEGER NOT NULL
    ) STRICT;
  `,
};
