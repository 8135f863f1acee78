import { markUnsaved, markUnsavedOnChangesOf } from './mark-unsaved.ts';

/** Tables of enrichments, snapshots and exports. */
export const SNAPSHOTS_TABLES = `
    -- ---------------------------------------------------------------------------------------------------------------- Enrichment

    -- Models of a dataset. models: JSON object from enrichment type to model id. backgrounds: JSON object from entity type to the noise
    -- distribution of the encoder (cosines between unrelated texts and images). wanted_encoder: applied as soon as it is installed;
    -- none if the owner wants none.
    CREATE TABLE enrichment (
      dataset_id TEXT PRIMARY KEY REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      models TEXT NOT NULL,
      backgrounds TEXT NOT NULL,
      wanted_encoder TEXT
    ) STRICT;
    ${markUnsavedOnChangesOf('enrichment')}

    -- ---------------------------------------------------------------------------------------------------------------- Snapshots

    -- Snapshots of datasets, written by the snapshot service. A snapshot that a person deletes stays here with deleted_at. enrichment:
    -- JSON of the dataset's row at that time, NULL without one. media_folders: JSON array of batch ids whose originals its items use.
    CREATE TABLE snapshot (
      snapshot_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      reason TEXT NOT NULL CHECK (reason IN ('manual', 'creation', 'clone')),
      n_images INTEGER NOT NULL,
      n_videos INTEGER NOT NULL,
      n_objects INTEGER NOT NULL,
      n_file_errors INTEGER NOT NULL,
      preview_media_ids TEXT NOT NULL,
      enrichment TEXT,
      media_folders TEXT NOT NULL,
      training_model_id TEXT,
      training_model_name TEXT,
      is_current INTEGER NOT NULL,
      place INTEGER NOT NULL,
      deleted_at TEXT
    ) STRICT;
    CREATE INDEX snapshot_dataset ON snapshot (dataset_id, place);
    CREATE UNIQUE INDEX snapshot_current ON snapshot (dataset_id) WHERE is_current = 1;
    CREATE TRIGGER snapshot_inserted AFTER INSERT ON snapshot BEGIN ${markUnsaved('new.dataset_id')} END;
    CREATE TRIGGER snapshot_updated AFTER UPDATE ON snapshot BEGIN ${markUnsaved('new.dataset_id')} END;

    -- ---------------------------------------------------------------------------------------------------------------- Exports

    -- Exports, written by the export service. The task with the same id has the progress; rejected exports have no task. options: JSON of
    -- the request. chosen: base64 of the deflated bitmap of rows in that generation, '' once the archive is written.
    CREATE TABLE export (
      export_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      created_at TEXT NOT NULL,
      is_rejected INTEGER NOT NULL,
      options TEXT NOT NULL,
      chosen TEXT NOT NULL,
      generation INTEGER NOT NULL,
      entities_count INTEGER NOT NULL,
      result_message TEXT NOT NULL,
      size_bytes INTEGER
    ) STRICT;
    CREATE INDEX export_dataset ON export (dataset_id, created_at);

    -- The latest time that the clock showed, and times that the app did not see pass, which do not count for the age of exports. Written by
    -- the keeper of exports.
    CREATE TABLE clock_look (id INTEGER PRIMARY KEY CHECK (id = 1), seen_at TEXT NOT NULL) STRICT;
    CREATE TABLE clock_jump (from_at TEXT NOT NULL, to_at TEXT NOT NULL) STRICT;`;
