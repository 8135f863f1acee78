import type { Migration } from '../../sqlite/open-database.ts';

export const edits: Migration = {
  version: 12,
  sql: `
    -- What a person puts on items and objects.
    CREATE TABLE tag (
      tag_id TEXT PRIMARY KEY,
      name TEXT NOT NULL COLLATE NOCASE UNIQUE,
      created_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- What people say of rows, as sets of rows: see [Note: Sets of rows]. name: of a tag its id, of a label its text. day: when it was said.
    CREATE TABLE row_set (
      set_id INTEGER PRIMARY KEY,
      entity_type TEXT NOT NULL CHECK (entity_type IN ('IMAGES', 'OBJECTS')),
      kind TEXT NOT NULL CHECK (kind IN ('tag', 'label', 'not_label', 'excluded')),
      name TEXT NOT NULL,
      day TEXT NOT NULL,
      -- Counts the changes of its rows.
      version INTEGER NOT NULL DEFAULT 0,
      UNIQUE (entity_type, kind, name, day)
    ) STRICT;
    CREATE TABLE row_set_block (
      set_id INTEGER NOT NULL REFERENCES row_set (set_id),
      block INTEGER NOT NULL,
      bits BLOB NOT NULL,
      PRIMARY KEY (set_id, block)
    ) STRICT, WITHOUT ROWID;

    -- The last edits, and which bits each has flipped: that undoes them.
    CREATE TABLE edit (
      edit_id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      -- JSON: what was put on and taken off, and what was deleted with it.
      details TEXT NOT NULL,
      n_changed INTEGER NOT NULL,
      created_by TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE edit_block (
      edit_id INTEGER NOT NULL REFERENCES edit (edit_id) ON DELETE CASCADE,
      set_id INTEGER NOT NULL,
      block INTEGER NOT NULL,
      bits BLOB NOT NULL,
      PRIMARY KEY (edit_id, set_id, block)
    ) STRICT, WITHOUT ROWID;
  `,
};
