/** SQL for the folder and the name of a path. SQLite has no function that finds the last slash. */
const FOLDER = `rtrim(file_path, replace(file_path, '/', ''))`;
const PATH = `
        replace(file_path, ${FOLDER}, '') AS file_name,
        ${FOLDER} AS folder`;

const ITEM_OF = (media: string) => `SELECT row FROM media WHERE media_id = ${media}`;

/**
 * [Note: Full text]
 * Each item and each object has a document of its texts under its row. Triggers record the rows whose texts change (`…_text_due`) in the
 * transaction that changes them. The writer computes the documents before that transaction ends, in order of row, because FTS5 writes
 * fastest in that order. Rows still due when a writer opens the file, such as in a copy without a model's results, are computed at that
 * time. Label searches use label names and sets of rows with users' corrections, because an edit of a million rows must not write a million
 * documents. The column `label` of the documents stays empty.
 */
export const FULL_TEXT = `
    -- ---------------------------------------------------------------------------------------------------------------- Full text

    CREATE VIRTUAL TABLE item_text USING fts5(caption, label, file_name, folder, id, content = '', contentless_delete = 1,
      tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE object_text USING fts5(caption, label, file_name, folder, id, content = '', contentless_delete = 1,
      tokenize = 'porter unicode61 remove_diacritics 2');

    -- Documents. An id is a single word, so it has no hyphens.
    CREATE VIEW item_document AS
      SELECT row,
        (SELECT group_concat(caption, char(10)) FROM caption WHERE caption.media_id = media.media_id) AS caption, ${PATH},
        replace(media_id || ' ' || ifnull(video_id, ''), '-', '') AS id
      FROM media JOIN file USING (file_id);
    CREATE VIEW object_document AS
      SELECT object.row, caption, ${PATH},
        replace(object_id || ' ' || media_id, '-', '') AS id
      FROM object JOIN media USING (media_id) JOIN file USING (file_id);

    -- Rows whose document is outdated.
    CREATE TABLE item_text_due (row INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE object_text_due (row INTEGER PRIMARY KEY) STRICT;

    CREATE TRIGGER media_added_text AFTER INSERT ON media BEGIN
      INSERT OR IGNORE INTO item_text_due VALUES (new.row);
    END;
    CREATE TRIGGER media_deleted_text AFTER DELETE ON media BEGIN
      INSERT OR IGNORE INTO item_text_due VALUES (old.row);
    END;
    CREATE TRIGGER media_moved_text AFTER UPDATE OF row ON media BEGIN
      INSERT OR IGNORE INTO item_text_due VALUES (old.row), (new.row);
    END;
    CREATE TRIGGER file_moved_text AFTER UPDATE OF file_path ON file WHEN old.file_path <> new.file_path BEGIN
      INSERT OR IGNORE INTO item_text_due SELECT row FROM media WHERE file_id = new.file_id;
      INSERT OR IGNORE INTO object_text_due SELECT object.row FROM media JOIN object USING (media_id) WHERE file_id = new.file_id;
    END;
    CREATE TRIGGER caption_added_text AFTER INSERT ON caption BEGIN
      INSERT OR IGNORE INTO item_text_due ${ITEM_OF('new.media_id')};
    END;
    CREATE TRIGGER caption_deleted_text AFTER DELETE ON caption BEGIN
      INSERT OR IGNORE INTO item_text_due ${ITEM_OF('old.media_id')};
    END;
    CREATE TRIGGER object_added_text AFTER INSERT ON object BEGIN
      INSERT OR IGNORE INTO object_text_due VALUES (new.row);
    END;
    CREATE TRIGGER object_deleted_text AFTER DELETE ON object BEGIN
      INSERT OR IGNORE INTO object_text_due VALUES (old.row);
    END;
    CREATE TRIGGER object_changed_text AFTER UPDATE OF row, caption ON object BEGIN
      INSERT OR IGNORE INTO object_text_due VALUES (old.row), (new.row);
    END;`;
