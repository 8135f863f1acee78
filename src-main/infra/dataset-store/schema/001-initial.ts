import type { Migration } from '../../sqlite/open-database.ts';
import { FULL_TEXT } from './full-text.ts';

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

    -- ---------------------------------------------------------------------------------------------------------------- Sources

    -- Where files come from. folder: root is an absolute local folder. stored: root is a folder of stored originals in the data folder.
    CREATE TABLE source (
      source_id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('folder', 'stored')),
      root TEXT NOT NULL
    ) STRICT;

    -- Files that one task adds.
    CREATE TABLE batch (
      batch_id TEXT PRIMARY KEY,
      source_id TEXT NOT NULL REFERENCES source (source_id),
      kind TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX batch_source ON batch (source_id);

    -- Files of media and annotations. state: remote → pending → done or failed; missing while a watched file does not exist. A video frame
    -- is a file of its own with video_id. Items of files in another state than done are not shown. problem_kind and problem_reason: why a
    -- file failed, or what was skipped of a file that is done. origin: address that it was fetched from. location: path below the source's
    -- root. frame_timestamp: seconds.
    CREATE TABLE file (
      file_id INTEGER PRIMARY KEY,
      source_id TEXT NOT NULL REFERENCES source (source_id),
      batch_id TEXT NOT NULL REFERENCES batch (batch_id),
      file_path TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('image', 'video', 'annotation')),
      origin TEXT,
      location TEXT NOT NULL,
      size_bytes INTEGER NOT NULL,
      mtime_ms REAL NOT NULL,
      video_id TEXT,
      frame_number INTEGER,
      frame_timestamp REAL,
      state TEXT NOT NULL CHECK (state IN ('remote', 'pending', 'done', 'failed', 'missing')),
      problem_kind TEXT,
      problem_reason TEXT
    ) STRICT;
    CREATE UNIQUE INDEX file_place ON file (source_id, file_path) WHERE state <> 'missing';
    CREATE INDEX file_waiting ON file (batch_id, state, file_path, file_id, kind) WHERE state IN ('remote', 'pending');
    CREATE INDEX file_problem ON file (file_path, file_id) WHERE problem_kind IS NOT NULL AND state <> 'missing';
    CREATE INDEX file_batch ON file (batch_id, state);
    CREATE INDEX file_size ON file (size_bytes);
    CREATE INDEX file_video ON file (video_id) WHERE video_id IS NOT NULL;
    CREATE INDEX file_by_path ON file (file_path);
    CREATE INDEX file_origin ON file (origin) WHERE origin IS NOT NULL;

    -- Changes reported by watched folders that are not yet imported. The importing transaction deletes them.
    CREATE TABLE change (
      change_id INTEGER PRIMARY KEY,
      batch_id TEXT NOT NULL,
      source_id TEXT NOT NULL REFERENCES source (source_id),
      file_path TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('image', 'video', 'annotation', 'removed')),
      size_bytes INTEGER NOT NULL,
      mtime_ms REAL NOT NULL
    ) STRICT;
    CREATE INDEX change_waiting ON change (batch_id, kind, file_path, change_id);
    CREATE INDEX change_removed ON change (source_id, file_path) WHERE kind = 'removed';

    -- ---------------------------------------------------------------------------------------------------------------- Items

    -- poster_timestamp: seconds.
    CREATE TABLE video (
      video_id TEXT PRIMARY KEY,
      file_id INTEGER NOT NULL UNIQUE REFERENCES file (file_id),
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      duration_s REAL,
      frames_per_second REAL,
      codec TEXT NOT NULL,
      poster_timestamp REAL NOT NULL
    ) STRICT;

    -- Frame images of replaced video content, until they are deleted. replaced_in: media folder of the new frames, NULL without any.
    CREATE TABLE orphaned_frame (
      source_id TEXT NOT NULL,
      location TEXT NOT NULL,
      replaced_in TEXT,
      PRIMARY KEY (source_id, location)
    ) STRICT, WITHOUT ROWID;

    -- Items: images and video frames. content_hash: SHA-256 of the file, hexadecimal. Thumbnails are byte ranges of pack files. Quality
    -- statistics: shares and luma from 0 to 1, entropy in bits. exif: JSON.
    CREATE TABLE media (
      row INTEGER PRIMARY KEY,
      media_id TEXT NOT NULL UNIQUE,
      file_id INTEGER NOT NULL REFERENCES file (file_id),
      media_type TEXT NOT NULL CHECK (media_type IN ('image', 'video_frame')),
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      format TEXT NOT NULL,
      pages INTEGER NOT NULL,
      content_hash TEXT NOT NULL,
      thumbnail_pack INTEGER NOT NULL,
      thumbnail_offset INTEGER NOT NULL,
      thumbnail_bytes INTEGER NOT NULL,
      thumbnail_crc32 INTEGER NOT NULL,
      mean_luma REAL NOT NULL,
      p01_luma REAL NOT NULL,
      p05_luma REAL NOT NULL,
      p50_luma REAL NOT NULL,
      p95_luma REAL NOT NULL,
      p99_luma REAL NOT NULL,
      contrast REAL NOT NULL,
      sharpness REAL NOT NULL,
      edge_energy REAL NOT NULL,
      edge_sharpness REAL NOT NULL,
      blown_share REAL NOT NULL,
      entropy_bits REAL NOT NULL,
      colourfulness REAL NOT NULL,
      grey_share REAL NOT NULL,
      created_at TEXT NOT NULL,
      exif TEXT
    ) STRICT;
    CREATE INDEX media_file ON media (file_id);
    CREATE INDEX media_content ON media (content_hash);

    -- Objects: boxes with a thumbnail and a vector of their own. annotation_path: the annotation file that the box comes from. confidence:
    -- 0 to 1, NULL for people and files.
    CREATE TABLE object (
      row INTEGER PRIMARY KEY,
      object_id TEXT NOT NULL UNIQUE,
      media_id TEXT NOT NULL REFERENCES media (media_id),
      batch_id TEXT NOT NULL,
      x INTEGER NOT NULL,
      y INTEGER NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      label TEXT NOT NULL,
      class_id INTEGER,
      confidence REAL,
      source TEXT NOT NULL,
      annotation_path TEXT,
      caption TEXT,
      caption_source TEXT,
      thumbnail_pack INTEGER NOT NULL,
      thumbnail_offset INTEGER NOT NULL,
      thumbnail_bytes INTEGER NOT NULL,
      thumbnail_crc32 INTEGER NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX object_media ON object (media_id);
    CREATE INDEX object_batch ON object (batch_id);

    -- Pending boxes: boxes of annotation files and detectors that wait for their thumbnail and vector. object_id is set when the box
    -- belongs to an existing object that is computed again.
    CREATE TABLE box (
      box_id INTEGER PRIMARY KEY,
      batch_id TEXT NOT NULL,
      media_id TEXT NOT NULL REFERENCES media (media_id),
      media_row INTEGER NOT NULL,
      object_id TEXT,
      x INTEGER NOT NULL,
      y INTEGER NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      label TEXT NOT NULL,
      class_id INTEGER,
      confidence REAL,
      source TEXT NOT NULL,
      caption TEXT,
      caption_source TEXT,
      annotation_path TEXT NOT NULL,
      line INTEGER
    ) STRICT;
    CREATE INDEX box_batch ON box (batch_id, media_row, box_id);
    CREATE INDEX box_media ON box (media_id);
    CREATE INDEX box_object ON box (object_id) WHERE object_id IS NOT NULL;

    -- Objects that their annotation files no longer contain. They are shown until the index with their replacements is published.
    CREATE TABLE replaced_object (
      row INTEGER PRIMARY KEY REFERENCES object (row) ON DELETE CASCADE ON UPDATE CASCADE,
      batch_id TEXT NOT NULL
    ) STRICT;
    CREATE INDEX replaced_object_batch ON replaced_object (batch_id);

    -- ---------------------------------------------------------------------------------------------------------------- Annotations

    -- Labels of whole items, from annotation files and models.
    CREATE TABLE label (
      media_id TEXT NOT NULL REFERENCES media (media_id),
      label TEXT NOT NULL,
      class_id INTEGER,
      confidence REAL,
      source TEXT NOT NULL,
      batch_id TEXT,
      annotation_path TEXT,
      PRIMARY KEY (media_id, label, source)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX label_batch ON label (batch_id);

    CREATE TABLE caption (
      media_id TEXT NOT NULL REFERENCES media (media_id),
      caption TEXT NOT NULL,
      source TEXT NOT NULL,
      batch_id TEXT,
      annotation_path TEXT,
      UNIQUE (media_id, caption, source)
    ) STRICT;
    CREATE INDEX caption_batch ON caption (batch_id);

    -- Vectors of captions by the dataset's sentence encoder. caption_id: rowid of the caption. vector: float32, L2-normalised.
    CREATE TABLE caption_vector (
      caption_id INTEGER PRIMARY KEY,
      vector BLOB NOT NULL
    ) STRICT;
    CREATE TRIGGER caption_deleted AFTER DELETE ON caption BEGIN
      DELETE FROM caption_vector WHERE caption_id = old.rowid;
    END;

    -- Problems of annotation files, each stored once, however many annotations a line holds. file_key: the media file that the entry is
    -- about, as the annotations name it, where another file of that name may solve the problem.
    CREATE TABLE annotation_problem (
      problem_id INTEGER PRIMARY KEY,
      batch_id TEXT NOT NULL,
      source_path TEXT NOT NULL,
      line INTEGER,
      reason TEXT NOT NULL,
      file_key TEXT
    ) STRICT;
    CREATE UNIQUE INDEX annotation_problem_once ON annotation_problem (batch_id, source_path, ifnull(line, 0), reason);

    -- Items that a model failed on.
    CREATE TABLE model_failure (
      media_id TEXT NOT NULL REFERENCES media (media_id) ON DELETE CASCADE,
      model_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (media_id, model_id)
    ) STRICT, WITHOUT ROWID;

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

    -- Names that users gave to clusters of a level: see [Note: Names of clusters]. members: rows of some of the cluster's items, int32.
    CREATE TABLE cluster_name (
      name_id INTEGER PRIMARY KEY,
      entity_type TEXT NOT NULL CHECK (entity_type IN ('IMAGES', 'OBJECTS')),
      level INTEGER NOT NULL,
      name TEXT NOT NULL,
      members BLOB NOT NULL
    ) STRICT;

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
