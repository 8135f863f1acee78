import type { Migration } from '../../sqlite/open-database.ts';
import { noteChangesOf } from './004-dataset-records.ts';

export const views: Migration = {
  version: 12,
  sql: `
    -- A query that is kept. vql: its filters as JSON; watched_after: batches of tasks from behind this place are checked. Counts are -1
    -- until the first was; problem: why the last could not be.
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

    -- What a batch brought that fits a view.
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

    -- Images from outside that a view compares with, as JSON.
    CREATE TABLE view_image (
      view_id TEXT NOT NULL REFERENCES saved_view (view_id) ON DELETE CASCADE,
      anchor_media_id TEXT NOT NULL,
      dataset_id TEXT NOT NULL,
      image TEXT NOT NULL,
      PRIMARY KEY (view_id, anchor_media_id)
    ) STRICT;
    CREATE INDEX view_image_anchor ON view_image (anchor_media_id);

    -- place: the order in which they came. They are about a dataset whose row may be put in anew.
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
    CREATE INDEX notification_unread ON notification (user_id, dataset_id) WHERE read_at IS NULL;

    ${noteChangesOf('saved_view')}
  `,
};
