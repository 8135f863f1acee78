import type { Migration } from '../../sqlite/open-database.ts';

export const lostParts: Migration = {
  version: 13,
  sql: `
    -- NULL where a former version wrote the thumbnail.
    ALTER TABLE media ADD COLUMN thumbnail_crc32 INTEGER;
    ALTER TABLE object ADD COLUMN thumbnail_crc32 INTEGER;

    -- What was found damaged of rows and waits to be made again from the originals.
    CREATE TABLE lost_part (
      entity_type TEXT NOT NULL CHECK (entity_type IN ('IMAGES', 'OBJECTS')),
      row INTEGER NOT NULL,
      part TEXT NOT NULL CHECK (part IN ('looks', 'meaning', 'thumbnail')),
      PRIMARY KEY (entity_type, row, part)
    ) STRICT, WITHOUT ROWID;
  `,
};
