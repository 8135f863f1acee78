/** Tables of tags, edits by people and names of clusters. */
export const EDITS_TABLES = `
    -- ---------------------------------------------------------------------------------------------------------------- Edits

    CREATE TABLE tag (
      tag_id TEXT PRIMARY KEY,
      name TEXT NOT NULL COLLATE NOCASE UNIQUE,
      created_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Edits by people, as sets of rows: see [Note: Sets of rows]. name: a tag's id, a label, a verdict, or ''. day: YYYY-MM-DD of the assignment for
    -- tags, else ''. version counts the changes of its rows.
    CREATE TABLE row_set (
      set_id INTEGER PRIMARY KEY,
      entity_type TEXT NOT NULL CHECK (entity_type IN ('IMAGES', 'OBJECTS')),
      kind TEXT NOT NULL CHECK (kind IN ('tag', 'label', 'not_label', 'excluded', 'verdict')),
      name TEXT NOT NULL,
      day TEXT NOT NULL,
      version INTEGER NOT NULL DEFAULT 0,
      UNIQUE (entity_type, kind, name, day)
    ) STRICT;
    CREATE TABLE row_set_block (
      set_id INTEGER NOT NULL REFERENCES row_set (set_id),
      block INTEGER NOT NULL,
      bits BLOB NOT NULL,
      PRIMARY KEY (set_id, block)
    ) STRICT, WITHOUT ROWID;

    -- Times at which the rows of a tag's sets were assigned: see [Note: Times of tags].
    CREATE TABLE tag_time (
      set_id INTEGER NOT NULL REFERENCES row_set (set_id),
      block INTEGER NOT NULL,
      times BLOB NOT NULL,
      PRIMARY KEY (set_id, block)
    ) STRICT, WITHOUT ROWID;

    -- The latest edits, for undo. details: JSON of what was added and removed. edit_block: the bits that an edit flipped.
    CREATE TABLE edit (
      edit_id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
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

    -- Values that an edit replaced, for undo. place: 'caption', or 'field:' and the number of a custom field. before, after: NULL for none.
    CREATE TABLE edit_value (
      edit_id INTEGER NOT NULL REFERENCES edit (edit_id) ON DELETE CASCADE,
      place TEXT NOT NULL,
      media_id TEXT NOT NULL,
      before ANY,
      after ANY,
      PRIMARY KEY (edit_id, place, media_id)
    ) STRICT, WITHOUT ROWID;

    -- Names of clusters of a level, hidden clusters and merged ones: see [Note: Edits of clusters]. members: rows of some items of each
    -- cluster, int32; ends: JSON array of the end of each cluster's members. holds: 0 for an edit that was taken back or replaced.
    CREATE TABLE cluster_edit (
      cluster_edit_id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('name', 'hidden', 'merged')),
      entity_type TEXT NOT NULL CHECK (entity_type IN ('IMAGES', 'OBJECTS')),
      level INTEGER NOT NULL,
      name TEXT NOT NULL,
      members BLOB NOT NULL,
      ends TEXT NOT NULL,
      holds INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX cluster_edit_level ON cluster_edit (kind, entity_type, level) WHERE holds = 1;
    -- Edits of clusters that an edit of the history added or ended, for undo.
    CREATE TABLE edit_cluster (
      edit_id INTEGER NOT NULL REFERENCES edit (edit_id) ON DELETE CASCADE,
      cluster_edit_id INTEGER NOT NULL,
      PRIMARY KEY (edit_id, cluster_edit_id)
    ) STRICT, WITHOUT ROWID;`;
