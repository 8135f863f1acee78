import type { Migration } from '../../sqlite/open-database.ts';

export const customMetadata: Migration = {
  version: 18,
  sql: `
    -- Fields that people declared, and how far their values are in.
    CREATE TABLE custom_field (
      field_number INTEGER PRIMARY KEY,
      field_id TEXT NOT NULL UNIQUE,
      field_name TEXT NOT NULL UNIQUE,
      field_type TEXT NOT NULL CHECK (field_type IN ('string', 'float', 'datetime', 'enum', 'link')),
      -- JSON arrays.
      enum_options TEXT NOT NULL,
      sample_errors TEXT NOT NULL DEFAULT '[]',
      is_multi INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      n_read INTEGER NOT NULL DEFAULT 0,
      inserted_rows INTEGER NOT NULL DEFAULT 0,
      error_count INTEGER NOT NULL DEFAULT 0,
      is_complete INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- row: of the item. value: text of strings and links, a number of floats, milliseconds since 1970 of datetimes, a bit for each option of
    -- enums. Clustered by field, so that an import writes pages of its own.
    CREATE TABLE custom_value (
      field_number INTEGER NOT NULL REFERENCES custom_field (field_number),
      row INTEGER NOT NULL,
      value ANY NOT NULL,
      PRIMARY KEY (field_number, row)
    ) STRICT, WITHOUT ROWID;
  `,
};
