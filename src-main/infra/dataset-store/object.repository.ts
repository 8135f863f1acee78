import type Database from 'better-sqlite3';
import type { PixelBox } from '../../core/compute.port.ts';
import type { BoxCursor, ItemRow, ObjectItem, SourceRow } from '../../core/dataset-store.port.ts';
import type { ThumbnailSlot } from './thumbnail-packs.ts';

/** A box that waits to become an object. */
export interface FoundObject extends PixelBox {
  batch_id: string;
  media_id: string;
  /** Only gives the order: boxes of one picture come together. */
  media_row: number;
  label: string;
  class_id: number | null;
  source: string;
  annotation_path: string;
  line: number | null;
}

export interface WaitingBox extends PixelBox {
  found_id: number;
  media_row: number;
  picture_width: number;
  picture_height: number;
  location: string;
  kind: SourceRow['kind'];
  root: string;
}

interface ObjectColumns extends PixelBox, ThumbnailSlot {
  row: number;
  object_id: string;
  media_id: string;
  label: string;
  class_id: number | null;
  source: string;
}

export type ObjectOnPicture = { row: number; object: ObjectItem; picture: ItemRow };

/** Objects of one dataset, and the boxes that wait to become some. */
export class ObjectRepository {
  readonly #db: Database.Database;

  // What runs for every row of annotations is prepared once.
  readonly #add_found: Database.Statement<[FoundObject]>;
  readonly #find_known: Database.Statement<[PixelBox & { media_id: string; label: string; batch_id: string }]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#add_found = db.prepare(
      `INSERT INTO found_object (batch_id, media_id, media_row, x, y, width, height, label, class_id, source, annotation_path, line)
       VALUES (:batch_id, :media_id, :media_row, :x, :y, :width, :height, :label, :class_id, :source, :annotation_path, :line)`,
    );
    this.#find_known = db.prepare(
      `SELECT 1 FROM object WHERE media_id = :media_id AND batch_id <> :batch_id AND x = :x AND y = :y AND width = :width
         AND height = :height AND label = :label LIMIT 1`,
    );
  }

  addFound(found: FoundObject): void {
    this.#add_found.run(found);
  }

  /** Whether an earlier batch brought the very same object. */
  hasOfOtherBatch(batch_id: string, object: PixelBox & { media_id: string; label: string }): boolean {
    return this.#find_known.get({ ...object, batch_id }) !== undefined;
  }

  countFound(batch_id: string): number {
    return (
      this.#db
        .prepare<[string], { n: number }>('SELECT count(*) AS n FROM found_object WHERE batch_id = ?')
        .get(batch_id)?.n ?? 0
    );
  }

  /** In order of picture. */
  listFound(batch_id: string, after: BoxCursor, limit: number): WaitingBox[] {
    return this.#db
      .prepare<{ batch_id: string; media_row: number; found_id: number; limit: number }, WaitingBox>(
        `SELECT found_id, media_row, x, y, found_object.width, found_object.height, media.width AS picture_width,
           media.height AS picture_height, location, source.kind, root
         FROM found_object JOIN media USING (media_id) JOIN file USING (file_id) JOIN source USING (source_id)
         WHERE found_object.batch_id = :batch_id AND (media_row, found_id) > (:media_row, :found_id)
         ORDER BY media_row, found_id LIMIT :limit`,
      )
      .all({ batch_id, media_row: after?.media_row ?? -1, found_id: after?.found_id ?? -1, limit });
  }

  findFound(found_id: number): FoundObject | undefined {
    return this.#db.prepare<[number], FoundObject>('SELECT * FROM found_object WHERE found_id = ?').get(found_id);
  }

  deleteFound(found_id: number): void {
    this.#db.prepare<[number]>('DELETE FROM found_object WHERE found_id = ?').run(found_id);
  }

  /** Makes a waiting box an object. Joins the caller's transaction. */
  insert(row: number, object_id: string, found_id: number, slot: ThumbnailSlot, created_at: string): void {
    this.#db
      .prepare<Record<string, string | number>>(
        `INSERT INTO object
         SELECT :row, :object_id, media_id, batch_id, x, y, width, height, label, class_id, source,
           :thumbnail_pack, :thumbnail_offset, :thumbnail_bytes, :created_at
         FROM found_object WHERE found_id = :found_id`,
      )
      .run({ row, object_id, found_id, ...slot, created_at });
    this.deleteFound(found_id);
  }

  /** Joins the caller's transaction. */
  deleteBatch(first_row: number, batch_id: string): void {
    this.#db.prepare<[string]>('DELETE FROM found_object WHERE batch_id = ?').run(batch_id);
    this.#db.prepare<[number, string]>('DELETE FROM object WHERE row >= ? AND batch_id = ?').run(first_row, batch_id);
  }

  /** One past the highest row. */
  rows(): number {
    return this.#db.prepare<[], { n: number }>('SELECT ifnull(max(row) + 1, 0) AS n FROM object').get()?.n ?? 0;
  }

  /** Those on pictures that are there. */
  count(batch_id?: string): number {
    return (
      this.#db
        .prepare<{ batch_id: string | null }, { n: number }>(
          `SELECT count(*) AS n FROM object JOIN media USING (media_id) JOIN file USING (file_id)
           WHERE state = 'done' AND (:batch_id IS NULL OR object.batch_id = :batch_id)`,
        )
        .get({ batch_id: batch_id ?? null })?.n ?? 0
    );
  }

  /** Where the next thumbnail goes. */
  thumbnailEnd(): { pack: number; end: number } {
    const last = this.#db
      .prepare<[], { pack: number; end: number }>(
        'SELECT thumbnail_pack AS pack, thumbnail_offset + thumbnail_bytes AS end FROM object ORDER BY row DESC LIMIT 1',
      )
      .get();
    return last ?? { pack: 0, end: 0 };
  }

  find(object_id: string): ObjectColumns | undefined {
    return this.#db.prepare<[string], ObjectColumns>('SELECT * FROM object WHERE object_id = ?').get(object_id);
  }

  listOfMedia(media_id: string): ObjectItem[] {
    return this.#db
      .prepare<[string], ObjectColumns>('SELECT * FROM object WHERE media_id = ? ORDER BY row')
      .all(media_id)
      .map(toItem);
  }

  /** Objects of the given rows with their pictures. */
  listByRows(rows: readonly number[]): ObjectOnPicture[] {
    const found = this.#db
      .prepare<
        [string],
        ObjectColumns & { media_row: number; picture_width: number; picture_height: number } & ItemRow
      >(
        `SELECT object.*, media.row AS media_row, media.width AS picture_width, media.height AS picture_height, media_type, file_path,
           video_id, frame_number, frame_timestamp
         FROM object JOIN media USING (media_id) JOIN file USING (file_id)
         WHERE object.row IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(rows));
    return found.map((one) => {
      const { media_id, media_type, file_path, video_id, frame_number, frame_timestamp } = one;
      const [width, height] = [one.picture_width, one.picture_height];
      const place = { video_id, frame_number, frame_timestamp };
      return {
        row: one.row,
        object: toItem(one),
        picture: { row: one.media_row, media_id, media_type, file_path, width, height, ...place },
      };
    });
  }

  /** For each object the row of its picture. */
  mediaRows(count: number): Int32Array {
    const media_rows = new Int32Array(count).fill(-1);
    const rows = this.#db
      .prepare<[], { row: number; media_row: number }>(
        'SELECT object.row, media.row AS media_row FROM object JOIN media USING (media_id)',
      )
      .iterate();
    for (const { row, media_row } of rows) if (row < count) media_rows[row] = media_row;
    return media_rows;
  }

  labelsByRow(): Iterable<{ row: number; label: string }> {
    return this.#db.prepare<[], { row: number; label: string }>('SELECT row, label FROM object ORDER BY row').iterate();
  }

  listLabels(limit: number): { name: string; count: number }[] {
    return this.#db
      .prepare<[number], { name: string; count: number }>(
        'SELECT label AS name, count(*) AS count FROM object GROUP BY label ORDER BY count DESC, name LIMIT ?',
      )
      .all(limit);
  }
}

function toItem({ object_id, label, class_id, source, x, y, width, height }: ObjectColumns): ObjectItem {
  return { object_id, label, class_id, source, box: { x, y, width, height } };
}
