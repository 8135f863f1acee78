import type Database from 'better-sqlite3';
import type { PixelBox } from '../../../core/ports/image.ts';
import type { ItemRow, ObjectItem } from '../../../core/ports/items.ts';
import { onFirstUse } from '../../sqlite/on-first-use.ts';
import type { ThumbnailSlot } from '../disk/thumbnail-packs.ts';
import { indexKey } from '../vectors/index-reader.ts';

interface ObjectColumns extends PixelBox, ThumbnailSlot {
  row: number;
  object_id: string;
  media_id: string;
  label: string;
  class_id: number | null;
  source: string;
  confidence: number | null;
  caption: string | null;
  caption_source: string | null;
}

export type ObjectOnImage = { row: number; object: ObjectItem; image: ItemRow };

/** Objects of one dataset. */
export class ObjectRepository {
  readonly #db: Database.Database;
  // Statements that run for every object are prepared once.
  readonly #replace: () => Database.Statement<[Record<string, string | number | null>]>;
  readonly #insert: () => Database.Statement<[Record<string, string | number | null>]>;
  readonly #find: () => Database.Statement<[string], ObjectColumns>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#replace = onFirstUse(() =>
      db.prepare(
        `UPDATE object SET row = :row, caption = :caption, caption_source = :caption_source, thumbnail_pack = :thumbnail_pack,
           thumbnail_offset = :thumbnail_offset, thumbnail_bytes = :thumbnail_bytes, thumbnail_crc32 = :thumbnail_crc32
         WHERE object_id = (SELECT object_id FROM box WHERE box_id = :box_id)`,
      ),
    );
    this.#insert = onFirstUse(() =>
      db.prepare(
        `INSERT INTO object (row, object_id, media_id, batch_id, x, y, width, height, label, class_id, source, confidence,
           thumbnail_pack, thumbnail_offset, thumbnail_bytes, thumbnail_crc32, created_at, caption, caption_source, annotation_path)
         SELECT :row, :object_id, media_id, batch_id, x, y, width, height, label, class_id, source, confidence,
           :thumbnail_pack, :thumbnail_offset, :thumbnail_bytes, :thumbnail_crc32, :created_at, ifnull(:caption, caption), ifnull(:caption_source, caption_source), nullif(annotation_path, '')
         FROM box WHERE box_id = :box_id AND object_id IS NULL`,
      ),
    );
    this.#find = onFirstUse(() => db.prepare('SELECT * FROM object WHERE object_id = ?'));
  }

  /** Deletes one object. Joins the caller's transaction. */
  delete(objectId: string): void {
    this.#db.prepare<[string]>('DELETE FROM object WHERE object_id = ?').run(objectId);
  }

  /**
   * Turns a pending box into an object, or gives its existing object the new row. The caller then deletes the box. Joins the caller's
   * transaction.
   */
  insert(
    row: number,
    objectId: string,
    boxId: number,
    slot: ThumbnailSlot,
    createdAt: string,
    caption: { caption: string | null; caption_source: string | null },
  ): void {
    this.#replace().run({ row, box_id: boxId, ...slot, ...caption });
    this.#insert().run({ row, object_id: objectId, box_id: boxId, ...slot, created_at: createdAt, ...caption });
  }

  /** Deletes the objects of a batch. Joins the caller's transaction. */
  deleteBatch(firstRow: number, batchId: string): void {
    this.#db.prepare<[number, string]>('DELETE FROM object WHERE row >= ? AND batch_id = ?').run(firstRow, batchId);
  }

  /** Returns the row after the highest one, including rows of indexed objects that were removed since: no row number is reused. */
  rows(): number {
    return (
      this.#db
        .prepare<[string, string], number>(
          `SELECT max(ifnull((SELECT max(row) + 1 FROM object), 0),
             ifnull((SELECT max(json_extract(value, '$.count')) FROM meta WHERE key IN (?, ?)), 0))`,
        )
        .pluck()
        .get(indexKey('looks', 'OBJECTS'), indexKey('meaning', 'OBJECTS')) ?? 0
    );
  }

  /** Counts objects on existing images. */
  count(batchId?: string): number {
    return (
      this.#db
        .prepare<{ batch_id: string | null }, { n: number }>(
          `SELECT count(*) AS n FROM object JOIN media USING (media_id) JOIN file USING (file_id)
           WHERE state = 'done' AND (:batch_id IS NULL OR object.batch_id = :batch_id)`,
        )
        .get({ batch_id: batchId ?? null })?.n ?? 0
    );
  }

  /** Returns the position of the next thumbnail. */
  thumbnailEnd(): { pack: number; end: number } {
    const last = this.#db
      .prepare<[], { pack: number; end: number }>(
        'SELECT thumbnail_pack AS pack, thumbnail_offset + thumbnail_bytes AS end FROM object ORDER BY row DESC LIMIT 1',
      )
      .get();
    return last ?? { pack: 0, end: 0 };
  }

  find(objectId: string): ObjectColumns | undefined {
    return this.#find().get(objectId);
  }

  /** @param nShown Number of published rows. An object and the object that it replaces are never both listed. */
  listOfMedia(mediaId: string, nShown: number): { row: number; object: ObjectItem }[] {
    return this.#db
      .prepare<{ media_id: string; n_shown: number }, ObjectColumns>(
        `SELECT * FROM object WHERE media_id = :media_id AND (row < :n_shown OR NOT EXISTS (
           SELECT 1 FROM object AS shown JOIN replaced_object USING (row) WHERE shown.media_id = :media_id)) ORDER BY row`,
      )
      .all({ media_id: mediaId, n_shown: nShown })
      .map((found) => ({ row: found.row, object: toItem(found) }));
  }

  /** Returns the objects on the images of the given rows, whether published or not. */
  listOfImages(imageRows: readonly number[]): { row: number; image_row: number; object: ObjectItem }[] {
    return this.#db
      .prepare<[string], ObjectColumns & { image_row: number }>(
        `SELECT object.*, media.row AS image_row FROM media JOIN object USING (media_id)
         WHERE media.row IN (SELECT value FROM json_each(?)) ORDER BY object.row`,
      )
      .all(JSON.stringify(imageRows))
      .map((found) => ({ row: found.row, image_row: found.image_row, object: toItem(found) }));
  }

  /** Returns the objects of the given rows with their images. */
  listByRows(rows: readonly number[]): ObjectOnImage[] {
    const found = this.#db
      .prepare<[string], ObjectColumns & { media_row: number; image_width: number; image_height: number } & ItemRow>(
        `SELECT object.*, media.row AS media_row, media.width AS image_width, media.height AS image_height, media_type, file_path,
           video_id, frame_number, frame_timestamp
         FROM object JOIN media USING (media_id) JOIN file USING (file_id)
         WHERE object.row IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(rows));
    return found.map((one) => {
      const { media_id, media_type, file_path, video_id, frame_number, frame_timestamp } = one;
      const [width, height] = [one.image_width, one.image_height];
      const place = { video_id, frame_number, frame_timestamp };
      return {
        row: one.row,
        object: toItem(one),
        image: { row: one.media_row, media_id, media_type, file_path, width, height, ...place },
      };
    });
  }
}

function toItem({ x, y, width, height, ...annotations }: ObjectColumns): ObjectItem {
  const { object_id, label, class_id, source, confidence, caption, caption_source } = annotations;
  return { object_id, label, class_id, source, confidence, caption, caption_source, box: { x, y, width, height } };
}
