import type { Migration } from '../../sqlite/open-database.ts';

export const boxes: Migration = {
  version: 10,
  sql: `
    -- Boxes of annotations and detectors; pending while no object was made of them.
    ALTER TABLE found_object RENAME TO box;
    ALTER TABLE box RENAME COLUMN found_id TO box_id;
    DROP INDEX found_object_batch;
    CREATE INDEX box_batch ON box (batch_id, media_row, box_id);
    DROP INDEX found_object_media;
    CREATE INDEX box_media ON box (media_id);
    DROP INDEX found_object_object;
    CREATE INDEX box_object ON box (object_id) WHERE object_id IS NOT NULL;
  `,
};
