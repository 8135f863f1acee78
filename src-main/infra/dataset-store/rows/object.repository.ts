import type Database from 'better-sqlite3';
import type { BoxCursor } from '../../../core/ports/boxes.ts';
import type { SourceRow } from '../../../core/ports/dataset-sources.ts';
import type { ItemRow, ObjectItem } from '../../../core/ports/explored.ts';
import type { PixelBox } from '../../../core/ports/picture.ts';
import type { ThumbnailSlot } from '../disk/thumbnail-packs.ts';
import { indexKey } from '../read/index-reader.ts';
import { IMPORTED, SAID_BEFORE } from './annotation.repository.ts';

/** A box that waits to become an object. */
export interface FoundObject extends PixelBox {
  batch_id: string;
  media_id: string;
  /** Only gives the order: boxes of one picture come together. */
  media_row: number;
  label: string;
  class_id: number | null;
  source: string;
  /** 0 … 1 of a model; null of annotations. */
  confidence: number | null;
  annotation_path: string;
  line: number | null;
}

/** A waiting box as it is kept; that of an object which is described anew names the object. */
export interface KeptFoundObject extends FoundObject {
  object_id: string | null;
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
  confidence: number | null;
  caption: string | null;
  caption_source: string | null;
}

/** What an annotation says of a picture. */
type SaidObject = PixelBox & { batch_id: string; media_id: string; label: string; class_id: number | null };

export type ObjectOnPicture = { row: number; object: ObjectItem; picture: ItemRow };

/** Objects of one dataset, and the boxes that wait to become some. */
export class ObjectRepository {
  readonly #db: Database.Database;

  // What runs for every row of annotations is prepared once.
  readonly #addFound: Database.Statement<[FoundObject]>;
  readonly #findKnown: Database.Statement<[SaidObject], number>;
  readonly #claim: Database.Statement<[number]>;
  readonly #takeOver: Database.Statement<[{ row: number; batch_id: string; annotation_path: string }]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#addFound = db.prepare(
      `INSERT INTO found_object (batch_id, media_id, media_row, x, y, width, height, label, class_id, source, confidence, annotation_path,
         line)
       VALUES (:batch_id, :media_id, :media_row, :x, :y, :width, :height, :label, :class_id, :source, :confidence, :annotation_path, :line)`,
    );
    db.exec('CREATE TEMP TABLE claimed_object (row INTEGER PRIMARY KEY)');
    this.#findKnown = db
      .prepare<[SaidObject], number>(
        `SELECT row FROM object WHERE media_id = :media_id AND batch_id <> :batch_id AND x = :x AND y = :y AND width = :width
           AND height = :height AND label = :label AND class_id IS :class_id AND source = '${IMPORTED}'
           AND NOT EXISTS (SELECT 1 FROM claimed_object WHERE claimed_object.row = object.row) ORDER BY row LIMIT 1`,
      )
      .pluck();
    this.#claim = db.prepare('INSERT INTO claimed_object VALUES (?)');
    this.#takeOver = db.prepare(
      `UPDATE object SET annotation_path = :annotation_path WHERE row = :row AND batch_id IN (
         SELECT earlier.batch_id FROM batch JOIN batch AS earlier USING (source_id) WHERE batch.batch_id = :batch_id)`,
    );
  }

  addFound(found: FoundObject): void {
    this.#addFound.run(found);
  }

  /**
   * Whether an earlier batch brought the very same object, as often as it is asked for; it is then claimed, and {@link sweep} leaves it.
   * Joins the caller's transaction.
   */
  claim(said: SaidObject & { annotation_path: string }): boolean {
    const { annotation_path, batch_id, media_id, x, y, width, height, label, class_id } = said;
    const row = this.#findKnown.get({ batch_id, media_id, x, y, width, height, label, class_id });
    if (row === undefined) return false;
    this.#claim.run(row);
    this.#takeOver.run({ row, batch_id, annotation_path });
    return true;
  }

  clearClaims(): void {
    this.#db.prepare('DELETE FROM claimed_object').run();
  }

  /** Removes what former versions of a batch's annotation files said and they do not any more. Joins the caller's transaction. */
  sweep(batchId: string): void {
    const rows = this.#db
      .prepare<{ batch_id: string }, number>(
        `SELECT row FROM object WHERE ${SAID_BEFORE} AND NOT EXISTS (SELECT 1 FROM claimed_object WHERE claimed_object.row = object.row)`,
      )
      .pluck()
      .all({ batch_id: batchId });
    this.#delete(rows);
  }

  /**
   * The picture has new content of the same size: its annotated objects wait to be described anew, under their ids. What models saw in
   * the former content is gone. Joins the caller's transaction.
   */
  redoOfMedia(mediaId: string, mediaRow: number, batchId: string): void {
    this.#delete(this.#rowsOfMedia(mediaId, `source <> '${IMPORTED}'`));
    this.#db.prepare<[string]>('DELETE FROM found_object WHERE media_id = ?').run(mediaId);
    this.#db
      .prepare<Record<string, string | number>>(
        `INSERT INTO found_object (batch_id, media_id, media_row, x, y, width, height, label, class_id, source, confidence,
           annotation_path, object_id)
         SELECT :batch_id, media_id, :media_row, x, y, width, height, label, class_id, source, confidence,
           ifnull(annotation_path, ''), object_id
         FROM object WHERE media_id = :media_id ORDER BY row`,
      )
      .run({ media_id: mediaId, media_row: mediaRow, batch_id: batchId });
  }

  /** Removes all objects of a picture; returns the annotated ones. Joins the caller's transaction. */
  deleteOfMedia(mediaId: string): { label: string; batch_id: string; annotation_path: string | null }[] {
    const annotated = this.#db
      .prepare<[string], { label: string; batch_id: string; annotation_path: string | null }>(
        `SELECT label, batch_id, annotation_path FROM object WHERE media_id = ? AND source = '${IMPORTED}' ORDER BY row`,
      )
      .all(mediaId);
    this.#delete(this.#rowsOfMedia(mediaId, 'true'));
    this.#db.prepare<[string]>('DELETE FROM found_object WHERE media_id = ?').run(mediaId);
    return annotated;
  }

  /** Removes one object. Joins the caller's transaction. */
  delete(objectId: string): void {
    this.#db.prepare<[string]>('DELETE FROM object WHERE object_id = ?').run(objectId);
  }

  /**
   * Takes over what batches of watched folders left waiting when they failed: the files of boxes that are no objects yet are to be read
   * again. Joins the caller's transaction.
   */
  adoptWaiting(batchId: string): void {
    const left = `batch_id <> :batch_id AND batch_id IN (SELECT batch_id FROM batch WHERE kind = 'watch')`;
    this.#db
      .prepare<{ batch_id: string }>(
        `UPDATE file SET state = 'pending' WHERE kind = 'annotation' AND state = 'done' AND ${left} AND EXISTS (
           SELECT 1 FROM found_object
           WHERE found_object.batch_id = file.batch_id AND annotation_path = file_path AND object_id IS NULL)`,
      )
      .run({ batch_id: batchId });
    this.#db
      .prepare<{ batch_id: string }>(
        `DELETE FROM found_object WHERE object_id IS NULL AND source = '${IMPORTED}' AND ${left}`,
      )
      .run({ batch_id: batchId });
    this.#db
      .prepare<{ batch_id: string }>(`UPDATE found_object SET batch_id = :batch_id WHERE ${left}`)
      .run({ batch_id: batchId });
  }

  /** Boxes that batches of watched folders left waiting. */
  countOfWatches(): number {
    return (
      this.#db
        .prepare<[], number>(
          `SELECT count(*) FROM found_object WHERE batch_id IN (SELECT batch_id FROM batch WHERE kind = 'watch')`,
        )
        .pluck()
        .get() ?? 0
    );
  }

  countFound(batchId: string): number {
    return (
      this.#db
        .prepare<[string], { n: number }>('SELECT count(*) AS n FROM found_object WHERE batch_id = ?')
        .get(batchId)?.n ?? 0
    );
  }

  /** In order of picture. */
  listFound(batchId: string, after: BoxCursor, limit: number): WaitingBox[] {
    return this.#db
      .prepare<{ batch_id: string; media_row: number; found_id: number; limit: number }, WaitingBox>(
        `SELECT found_id, media_row, x, y, found_object.width, found_object.height, media.width AS picture_width,
           media.height AS picture_height, location, source.kind, root
         FROM found_object JOIN media USING (media_id) JOIN file USING (file_id) JOIN source USING (source_id)
         WHERE found_object.batch_id = :batch_id AND (media_row, found_id) > (:media_row, :found_id)
         ORDER BY media_row, found_id LIMIT :limit`,
      )
      .all({ batch_id: batchId, media_row: after?.media_row ?? -1, found_id: after?.found_id ?? -1, limit });
  }

  findFound(foundId: number): KeptFoundObject | undefined {
    return this.#db.prepare<[number], KeptFoundObject>('SELECT * FROM found_object WHERE found_id = ?').get(foundId);
  }

  deleteFound(foundId: number): void {
    this.#db.prepare<[number]>('DELETE FROM found_object WHERE found_id = ?').run(foundId);
  }

  /** Makes a waiting box an object, or gives its object the new row. Joins the caller's transaction. */
  insert(
    row: number,
    objectId: string,
    foundId: number,
    slot: ThumbnailSlot,
    createdAt: string,
    said: { caption: string | null; caption_source: string | null },
  ): void {
    this.#db
      .prepare<Record<string, string | number | null>>(
        `UPDATE object SET row = :row, caption = :caption, caption_source = :caption_source, thumbnail_pack = :thumbnail_pack,
           thumbnail_offset = :thumbnail_offset, thumbnail_bytes = :thumbnail_bytes
         WHERE object_id = (SELECT object_id FROM found_object WHERE found_id = :found_id)`,
      )
      .run({ row, found_id: foundId, ...slot, ...said });
    this.#db
      .prepare<Record<string, string | number | null>>(
        `INSERT INTO object (row, object_id, media_id, batch_id, x, y, width, height, label, class_id, source, confidence,
           thumbnail_pack, thumbnail_offset, thumbnail_bytes, created_at, caption, caption_source, annotation_path)
         SELECT :row, :object_id, media_id, batch_id, x, y, width, height, label, class_id, source, confidence,
           :thumbnail_pack, :thumbnail_offset, :thumbnail_bytes, :created_at, :caption, :caption_source, nullif(annotation_path, '')
         FROM found_object WHERE found_id = :found_id AND object_id IS NULL`,
      )
      .run({ row, object_id: objectId, found_id: foundId, ...slot, created_at: createdAt, ...said });
    this.deleteFound(foundId);
  }

  /** Joins the caller's transaction. */
  deleteBatch(firstRow: number, batchId: string): void {
    this.#db.prepare<[string]>('DELETE FROM found_object WHERE batch_id = ? AND object_id IS NULL').run(batchId);
    this.#db.prepare<[number, string]>('DELETE FROM object WHERE row >= ? AND batch_id = ?').run(firstRow, batchId);
  }

  /** One past the highest row, also of objects that are indexed and were removed since: a row is never given twice. */
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

  /** Those on pictures that are there. */
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

  /** Where the next thumbnail goes. */
  thumbnailEnd(): { pack: number; end: number } {
    const last = this.#db
      .prepare<[], { pack: number; end: number }>(
        'SELECT thumbnail_pack AS pack, thumbnail_offset + thumbnail_bytes AS end FROM object ORDER BY row DESC LIMIT 1',
      )
      .get();
    return last ?? { pack: 0, end: 0 };
  }

  find(objectId: string): ObjectColumns | undefined {
    return this.#db.prepare<[string], ObjectColumns>('SELECT * FROM object WHERE object_id = ?').get(objectId);
  }

  listOfMedia(mediaId: string): ObjectItem[] {
    return this.#db
      .prepare<[string], ObjectColumns>('SELECT * FROM object WHERE media_id = ? ORDER BY row')
      .all(mediaId)
      .map(toItem);
  }

  #rowsOfMedia(mediaId: string, condition: string): number[] {
    return this.#db
      .prepare<[string], number>(`SELECT row FROM object WHERE media_id = ? AND ${condition}`)
      .pluck()
      .all(mediaId);
  }

  #delete(rows: readonly number[]): void {
    const chosen = JSON.stringify(rows);
    this.#db
      .prepare<[string]>(
        `DELETE FROM found_object WHERE object_id IN (
           SELECT object_id FROM object WHERE row IN (SELECT value FROM json_each(?)))`,
      )
      .run(chosen);
    this.#db.prepare<[string]>('DELETE FROM object WHERE row IN (SELECT value FROM json_each(?))').run(chosen);
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
}

function toItem({ x, y, width, height, ...said }: ObjectColumns): ObjectItem {
  const { object_id, label, class_id, source, confidence, caption, caption_source } = said;
  return { object_id, label, class_id, source, confidence, caption, caption_source, box: { x, y, width, height } };
}
