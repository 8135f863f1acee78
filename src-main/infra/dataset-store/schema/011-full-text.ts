import type { Migration } from '../../sqlite/open-database.ts';

const COLUMNS = 'caption, label, file_name, folder, id';

/** The parts of a path in SQL: SQLite has no function for the last slash. */
const FOLDER = `rtrim(file_path, replace(file_path, '/', ''))`;
const PATH = `replace(file_path, ${FOLDER}, '') AS file_name, ${FOLDER} AS folder`;

const ITEMS_OF = (media: string) => `SELECT row FROM media WHERE media_id = ${media}`;

/**
 * [Note: Full text]
 * Every item and every object has a document of its texts under its row. Triggers note the rows whose texts changed, in the transaction
 * that changed them; the writer makes the documents of those rows anew before that transaction ends, in order of row, which is the order
 * that FTS5 writes fast. Rows that were noted and not done, such as in a copy that forgot a model, are done when a writer opens the file.
 */
export const fullText: Migration = {
  version: 11,
  sql: `
    CREATE VIRTUAL TABLE item_text USING fts5(${COLUMNS}, content = '', contentless_delete = 1,
      tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE object_text USING fts5(${COLUMNS}, content = '', contentless_delete = 1,
      tokenize = 'porter unicode61 remove_diacritics 2');

    -- Boxes of detectors that are hardly sure are no labels of their items. Ids are one word each.
    CREATE VIEW item_document AS
      SELECT row,
        (SELECT group_concat(caption, char(10)) FROM caption WHERE caption.media_id = media.media_id) AS caption,
        (SELECT group_concat(label, char(10)) FROM (
           SELECT label FROM label WHERE label.media_id = media.media_id UNION
           SELECT label FROM object WHERE object.media_id = media.media_id AND ifnull(confidence, 1) >= 0.3)) AS label,
        ${PATH}, replace(media_id || ' ' || ifnull(video_id, ''), '-', '') AS id
      FROM media JOIN file USING (file_id);
    CREATE VIEW object_document AS
      SELECT object.row, caption, label, ${PATH}, replace(object_id || ' ' || media_id, '-', '') AS id
      FROM object JOIN media USING (media_id) JOIN file USING (file_id);

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
    CREATE TRIGGER label_added_text AFTER INSERT ON label BEGIN
      INSERT OR IGNORE INTO item_text_due ${ITEMS_OF('new.media_id')};
    END;
    CREATE TRIGGER label_deleted_text AFTER DELETE ON label BEGIN
      INSERT OR IGNORE INTO item_text_due ${ITEMS_OF('old.media_id')};
    END;
    CREATE TRIGGER caption_added_text AFTER INSERT ON caption BEGIN
      INSERT OR IGNORE INTO item_text_due ${ITEMS_OF('new.media_id')};
    END;
    CREATE TRIGGER caption_deleted_text AFTER DELETE ON caption BEGIN
      INSERT OR IGNORE INTO item_text_due ${ITEMS_OF('old.media_id')};
    END;
    CREATE TRIGGER object_added_text AFTER INSERT ON object BEGIN
      INSERT OR IGNORE INTO item_text_due ${ITEMS_OF('new.media_id')};
      INSERT OR IGNORE INTO object_text_due VALUES (new.row);
    END;
    CREATE TRIGGER object_deleted_text AFTER DELETE ON object BEGIN
      INSERT OR IGNORE INTO item_text_due ${ITEMS_OF('old.media_id')};
      INSERT OR IGNORE INTO object_text_due VALUES (old.row);
    END;
    CREATE TRIGGER object_changed_text AFTER UPDATE OF row, label, caption ON object BEGIN
      INSERT OR IGNORE INTO item_text_due ${ITEMS_OF('new.media_id')};
      INSERT OR IGNORE INTO object_text_due VALUES (old.row), (new.row);
    END;

    -- FTS5 writes out what it holds every megabyte, so that memory stays flat however much there is.
    INSERT INTO item_text (rowid, ${COLUMNS}) SELECT row, ${COLUMNS} FROM item_document ORDER BY row;
    INSERT INTO object_text (rowid, ${COLUMNS}) SELECT row, ${COLUMNS} FROM object_document ORDER BY row;
  `,
};
