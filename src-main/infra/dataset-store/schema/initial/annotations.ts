/** Tables of labels, captions and problems of annotations. */
export const ANNOTATIONS_TABLES = `
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
    ) STRICT, WITHOUT ROWID;`;
