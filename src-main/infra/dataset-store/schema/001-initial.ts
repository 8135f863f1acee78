import type { Migration } from '../../sqlite/open-database.ts';
import { FULL_TEXT } from './full-text.ts';
import { ANNOTATIONS_TABLES } from './initial/annotations.ts';
import { EDITS_TABLES } from './initial/edits.ts';
import { ITEMS_TABLES } from './initial/items.ts';
import { SOURCES_TABLES } from './initial/sources.ts';

/**
 * The first schema of data.db, by subject: sources, items, annotations, edits, custom metadata, duplicates, repair, full text. Only the
 * dataset's writer thread writes. Times are ISO 8601 text in UTC; `mtime_ms` is in milliseconds since 1970; booleans are 0 or 1. `row` of
 * an item or an object is its index in the vectors, the neighbour graph and the cluster files: dense and append-only, one numbering for
 * items and one for objects. Boxes (x, y, width, height) are in pixels of the upright image. `source` of an annotation is `Import`, the
 * user, or the id of the model that created it.
 */
export const initial: Migration = {
  version: 1,
  sql: `
    -- Facts of the dataset by name, as JSON: encoders, published indexes, data versions.
    CREATE TABLE meta (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    ${SOURCES_TABLES}
    ${ITEMS_TABLES}
    ${ANNOTATIONS_TABLES}
    ${EDITS_TABLES}
    -- ---------------------------------------------------------------------------------------------------------------- Custom metadata

    -- Declared fields and the progress of their import. enum_options and sample_errors: JSON arrays.
    CREATE TABLE custom_field (
      field_number INTEGER PRIMARY KEY,
      field_id TEXT NOT NULL UNIQUE,
      field_name TEXT NOT NULL UNIQUE,
      field_type TEXT NOT NULL CHECK (field_type IN ('string', 'float', 'datetime', 'enum', 'link')),
      enum_options TEXT NOT NULL,
      sample_errors TEXT NOT NULL DEFAULT '[]',
      is_multi INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      n_read INTEGER NOT NULL DEFAULT 0,
      inserted_rows INTEGER NOT NULL DEFAULT 0,
      error_count INTEGER NOT NULL DEFAULT 0,
      is_complete INTEGER NOT NULL DEFAULT 0,
      n_edits INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- Values of items. value: text for strings and links, a number for floats, milliseconds since 1970 for datetimes, one bit for each
    -- option for enums. Clustered by field, so that an import writes adjacent pages.
    CREATE TABLE custom_value (
      field_number INTEGER NOT NULL REFERENCES custom_field (field_number),
      row INTEGER NOT NULL,
      value ANY NOT NULL,
      PRIMARY KEY (field_number, row)
    ) STRICT, WITHOUT ROWID;

    -- ---------------------------------------------------------------------------------------------------------------- Duplicates

    -- Near-duplicates that image comparison confirmed; items of equal bytes are not stored. row_a is the lower row. share: part of the
    -- image that matches, 0 to 1. A row keeps its content, so a pair stays valid.
    CREATE TABLE duplicate_pair (
      row_a INTEGER NOT NULL,
      row_b INTEGER NOT NULL,
      share REAL NOT NULL,
      PRIMARY KEY (row_a, row_b)
    ) STRICT, WITHOUT ROWID;

    -- Appearance vectors of images with their border cut off; later images are compared with them too. vector: one signed byte a
    -- dimension, not normalised.
    CREATE TABLE trimmed_vector (
      row INTEGER PRIMARY KEY,
      vector BLOB NOT NULL
    ) STRICT;

    -- ---------------------------------------------------------------------------------------------------------------- Repair

    -- Damaged parts of rows that wait to be computed again from the originals.
    CREATE TABLE lost_part (
      entity_type TEXT NOT NULL CHECK (entity_type IN ('IMAGES', 'OBJECTS')),
      row INTEGER NOT NULL,
      part TEXT NOT NULL CHECK (part IN ('looks', 'meaning', 'thumbnail')),
      PRIMARY KEY (entity_type, row, part)
    ) STRICT, WITHOUT ROWID;
    ${FULL_TEXT}
  `,
};
