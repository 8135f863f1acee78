/** Tables of items, objects and pending boxes. */
export const ITEMS_TABLES = `
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
    CREATE INDEX replaced_object_batch ON replaced_object (batch_id);`;
