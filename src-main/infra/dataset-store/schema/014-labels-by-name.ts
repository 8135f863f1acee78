import type { Migration } from '../../sqlite/open-database.ts';

/**
 * Labels are found by their names and the rows that have them, as people corrected them: an edit of a million rows must not write a million
 * documents. The documents have an empty column where labels were.
 */
export const labelsByName: Migration = {
  version: 14,
  sql: `
    DROP TRIGGER label_added_text;
    DROP TRIGGER label_deleted_text;
    DROP TRIGGER object_added_text;
    DROP TRIGGER object_deleted_text;
    DROP TRIGGER object_changed_text;
    CREATE TRIGGER object_added_text AFTER INSERT ON object BEGIN
      INSERT OR IGNORE INTO object_text_due VALUES (new.row);
    END;
    CREATE TRIGGER object_deleted_text AFTER DELETE ON object BEGIN
      INSERT OR IGNORE INTO object_text_due VALUES (old.row);
    END;
    CREATE TRIGGER object_changed_text AFTER UPDATE OF row, caption ON object BEGIN
      INSERT OR IGNORE INTO object_text_due VALUES (old.row), (new.row);
    END;

    DROP VIEW item_document;
    DROP VIEW object_document;
    CREATE VIEW item_document AS
      SELECT row,
        (SELECT group_concat(caption, char(10)) FROM caption WHERE caption.media_id = media.media_id) AS caption,
        replace(file_path, rtrim(file_path, replace(file_path, '/', '')), '') AS file_name,
        rtrim(file_path, replace(file_path, '/', '')) AS folder,
        replace(media_id || ' ' || ifnull(video_id, ''), '-', '') AS id
      FROM media JOIN file USING (file_id);
    CREATE VIEW object_document AS
      SELECT object.row, caption,
        replace(file_path, rtrim(file_path, replace(file_path, '/', '')), '') AS file_name,
        rtrim(file_path, replace(file_path, '/', '')) AS folder,
        replace(object_id || ' ' || media_id, '-', '') AS id
      FROM object JOIN media USING (media_id) JOIN file USING (file_id);
  `,
};
