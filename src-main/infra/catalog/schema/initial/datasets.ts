import { markUnsaved, markUnsavedOnChangesOf } from './mark-unsaved.ts';

/** Columns of `dataset` that its record file repeats. Progress changes often and is not in the record. */
const RECORDED_COLUMNS = [
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

/** Tables of datasets and their sharing. */
export const DATASETS_TABLES = `
    -- ---------------------------------------------------------------------------------------------------------------- Datasets

    -- workspace_id has no reference: a dataset outlives its workspace, and a start moves datasets without one into the primary workspace.
    -- progress: percent of the present status. generation: number of the folder with the dataset's present data. preview_media_ids: JSON
    -- array, '[]' until the first index. revision counts changes that the record file must repeat.
    CREATE TABLE dataset (
      dataset_id TEXT PRIMARY KEY,
      workspace_id TEXT,
      owner_id TEXT NOT NULL REFERENCES user (user_id),
      display_name TEXT NOT NULL,
      description TEXT NOT NULL,
      source_type TEXT NOT NULL,
      source_uri TEXT NOT NULL,
      source_dataset_id TEXT,
      status_new TEXT NOT NULL,
      status TEXT NOT NULL,
      progress INTEGER NOT NULL,
      fatal_error_msg TEXT,
      n_images INTEGER NOT NULL,
      n_videos INTEGER NOT NULL,
      n_objects INTEGER NOT NULL,
      n_file_errors INTEGER NOT NULL,
      preview_media_ids TEXT NOT NULL,
      generation INTEGER NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX dataset_name ON dataset (owner_id, display_name);
    CREATE INDEX dataset_workspace ON dataset (workspace_id);
    CREATE INDEX dataset_owner ON dataset (owner_id);

    -- First characters of the ids of a dataset's items and objects: its own, and those of the dataset that it is a copy of.
    CREATE TABLE id_prefix (
      prefix TEXT NOT NULL,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      PRIMARY KEY (prefix, dataset_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX id_prefix_dataset ON id_prefix (dataset_id);

    -- Datasets whose record file (dataset.json in the dataset's folder) is outdated. Triggers insert, the record keeper deletes.
    CREATE TABLE dataset_unsaved (
      dataset_id TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER dataset_inserted AFTER INSERT ON dataset BEGIN
      INSERT OR IGNORE INTO dataset_unsaved VALUES (new.dataset_id);
    END;
    CREATE TRIGGER dataset_updated AFTER UPDATE OF ${RECORDED_COLUMNS} ON dataset BEGIN ${markUnsaved('new.dataset_id')} END;

    -- Users who may see a dataset that belongs to somebody else. Written by the sharing service.
    CREATE TABLE dataset_share (
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      user_id TEXT NOT NULL REFERENCES user (user_id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('viewer')),
      created_at TEXT NOT NULL,
      PRIMARY KEY (dataset_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dataset_share_user ON dataset_share (user_id);
    ${markUnsavedOnChangesOf('dataset_share')}`;
