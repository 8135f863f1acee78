import type { Migration } from '../../sqlite/open-database.ts';

export const pagesByPath: Migration = {
  version: 4,
  sql: `
    -- What waits is read page by page in the order of paths, whatever its kind.
    DROP INDEX file_waiting;
    CREATE INDEX file_waiting ON file (batch_id, state, file_path, file_id, kind) WHERE state IN ('remote', 'pending');
    -- Boxes of one picture or object, and batches of one source, are found without reading all.
    CREATE INDEX found_object_media ON found_object (media_id);
    CREATE INDEX found_object_object ON found_object (object_id) WHERE object_id IS NOT NULL;
    CREATE INDEX batch_source ON batch (source_id);
  `,
};
