import { markUnsavedOnChangesOf } from './mark-unsaved.ts';

/** Tables of saved views and notifications. */
export const VIEWS_TABLES = `
    -- ---------------------------------------------------------------------------------------------------------------- Saved views

    -- Saved queries. vql: JSON array of filters. watched_after: only batches of tasks with a higher place are checked. Counts are -1 until
    -- the first check; problem: why the last check failed.
    CREATE TABLE saved_view (
      view_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      entity_type TEXT NOT NULL,
      threshold TEXT NOT NULL,
      caption TEXT,
      vql TEXT NOT NULL,
      created_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      watched_after INTEGER NOT NULL,
      monitoring_enabled INTEGER NOT NULL,
      monitoring_started_at TEXT NOT NULL,
      alerting_enabled INTEGER NOT NULL,
      n_images INTEGER NOT NULL,
      n_objects INTEGER NOT NULL,
      n_video_frames INTEGER NOT NULL,
      total_results INTEGER NOT NULL,
      last_results TEXT,
      problem TEXT,
      UNIQUE (dataset_id, name)
    ) STRICT;
    ${markUnsavedOnChangesOf('saved_view')}

    -- Number of results that each batch added to a view, written by the view monitor.
    CREATE TABLE view_point (
      point_id INTEGER PRIMARY KEY,
      view_id TEXT NOT NULL REFERENCES saved_view (view_id) ON DELETE CASCADE,
      dataset_id TEXT NOT NULL,
      batch_id TEXT NOT NULL,
      timestamp TEXT NOT NULL,
      count INTEGER NOT NULL,
      cumulative INTEGER NOT NULL,
      UNIQUE (view_id, batch_id)
    ) STRICT;
    CREATE INDEX view_point_dataset ON view_point (dataset_id);

    -- Query images from outside the dataset that a view compares with. image: JSON.
    CREATE TABLE view_image (
      view_id TEXT NOT NULL REFERENCES saved_view (view_id) ON DELETE CASCADE,
      anchor_media_id TEXT NOT NULL,
      dataset_id TEXT NOT NULL,
      image TEXT NOT NULL,
      PRIMARY KEY (view_id, anchor_media_id)
    ) STRICT;
    CREATE INDEX view_image_anchor ON view_image (anchor_media_id);

    -- ---------------------------------------------------------------------------------------------------------------- Notifications

    -- Notifications of users. metadata: JSON. dataset_id has no reference: recovery may delete and insert the dataset's row again.
    CREATE TABLE notification (
      place INTEGER PRIMARY KEY AUTOINCREMENT,
      notification_id TEXT NOT NULL UNIQUE,
      user_id TEXT NOT NULL REFERENCES user (user_id) ON DELETE CASCADE,
      entity_type TEXT NOT NULL,
      entity_id TEXT NOT NULL,
      title TEXT NOT NULL,
      message TEXT,
      metadata TEXT NOT NULL,
      dataset_id TEXT,
      created_at TEXT NOT NULL,
      read_at TEXT
    ) STRICT;
    CREATE INDEX notification_user ON notification (user_id, place);
    CREATE INDEX notification_dataset ON notification (dataset_id, user_id, place);
    CREATE INDEX notification_unread ON notification (user_id, dataset_id) WHERE read_at IS NULL;`;
