import type Database from 'better-sqlite3';
import type { PixelBox } from '../../../core/ports/image.ts';
import { PREVIOUSLY_IMPORTED } from './imported-annotation.repository.ts';

/** An object as an annotation file lists it. */
type ImportedBox = PixelBox & {
  batch_id: string;
  media_id: string;
  label: string;
  class_id: number | null;
  source: string;
};

/** Objects of one dataset that come from annotations. Updates them when the annotations or the content of their images change. */
export class AnnotatedObjectRepository {
  readonly #db: Database.Database;

  // Statements that run for every annotation row are prepared once.
  readonly #findKnown: Database.Statement<[ImportedBox], number>;
  readonly #claim: Database.Statement<[number]>;
  readonly #keep: Database.Statement<[number]>;
  readonly #takeOver: Database.Statement<[{ row: number; batch_id: string; annotation_path: string }]>;

  constructor(db: Database.Database) {
    this.#db = db;
    db.exec('CREATE TEMP TABLE claimed_object (row INTEGER PRIMARY KEY)');
    this.#findKnown = db
      .prepare<[ImportedBox], number>(
        `SELECT row FROM object WHERE media_id = :media_id AND batch_id <> :batch_id AND x = :x AND y = :y AND width = :width
           AND height = :height AND label = :label AND class_id IS :class_id AND source = :source
           AND annotation_path IS NOT NULL AND NOT EXISTS (SELECT 1 FROM claimed_object WHERE claimed_object.row = object.row) ORDER BY row LIMIT 1`,
      )
      .pluck();
    this.#claim = db.prepare('INSERT INTO claimed_object VALUES (?)');
    this.#keep = db.prepare('DELETE FROM replaced_object WHERE row = ?');
    this.#takeOver = db.prepare(
      `UPDATE object SET annotation_path = :annotation_path WHERE row = :row AND batch_id IN (
         SELECT earlier.batch_id FROM batch JOIN batch AS earlier USING (source_id) WHERE batch.batch_id = :batch_id)`,
    );
  }

  /**
   * Claims an identical object that an earlier batch imported, so that {@link replace} leaves it. Each object can be claimed once. Joins
   * the caller's transaction.
   * @returns Whether there was such an object.
   */
  claim(imported: ImportedBox & { annotation_path: string }): boolean {
    const { annotation_path, ...object } = imported;
    const { batch_id } = object;
    const row = this.#findKnown.get(object);
    if (row === undefined) return false;
    this.#claim.run(row);
    this.#keep.run(row);
    this.#takeOver.run({ row, batch_id, annotation_path });
    return true;
  }

  clearClaims(): void {
    this.#db.prepare('DELETE FROM claimed_object').run();
  }

  /**
   * Marks the objects that earlier versions of a batch's annotation files listed and the current ones do not. {@link removeReplaced}
   * removes them when the current objects are published. Joins the caller's transaction.
   */
  replace(batchId: string): void {
    this.#db
      .prepare<{ batch_id: string }>(
        `INSERT OR IGNORE INTO replaced_object SELECT row, :batch_id FROM object
         WHERE ${PREVIOUSLY_IMPORTED} AND NOT EXISTS (SELECT 1 FROM claimed_object WHERE claimed_object.row = object.row)`,
      )
      .run({ batch_id: batchId });
  }

  /** Unmarks the objects that a batch would have replaced. Joins the caller's transaction. */
  keepReplaced(batchId: string): void {
    this.#db.prepare<[string]>('DELETE FROM replaced_object WHERE batch_id = ?').run(batchId);
  }

  listReplaced(): number[] {
    return this.#db.prepare<[], number>('SELECT row FROM replaced_object').pluck().all();
  }

  /**
   * Removes the marked objects. Joins the caller's transaction.
   * @returns Whether there were any.
   */
  removeReplaced(): boolean {
    const rows = this.listReplaced();
    this.#delete(rows);
    return rows.length > 0;
  }

  /**
   * Handles new content of the same size for an image: its annotated objects keep their ids and wait to be described again. Objects that
   * models detected in the previous content are removed. Joins the caller's transaction.
   */
  redoOfMedia(mediaId: string, mediaRow: number, batchId: string): void {
    this.#delete(this.#rowsOfMedia(mediaId, 'annotation_path IS NULL'));
    this.#db.prepare<[string]>('DELETE FROM box WHERE media_id = ?').run(mediaId);
    this.#db
      .prepare<Record<string, string | number>>(
        `INSERT INTO box (batch_id, media_id, media_row, x, y, width, height, label, class_id, source, confidence,
           annotation_path, object_id)
         SELECT :batch_id, media_id, :media_row, x, y, width, height, label, class_id, source, confidence,
           ifnull(annotation_path, ''), object_id
         FROM object WHERE media_id = :media_id ORDER BY row`,
      )
      .run({ media_id: mediaId, media_row: mediaRow, batch_id: batchId });
  }

  /** Removes all objects of an image and returns the annotated ones. Joins the caller's transaction. */
  deleteOfMedia(mediaId: string): { label: string; batch_id: string; annotation_path: string }[] {
    const annotated = this.#db
      .prepare<[string], { label: string; batch_id: string; annotation_path: string }>(
        `SELECT label, batch_id, annotation_path FROM object WHERE media_id = ? AND annotation_path IS NOT NULL ORDER BY row`,
      )
      .all(mediaId);
    this.#delete(this.#rowsOfMedia(mediaId, 'true'));
    this.#db.prepare<[string]>('DELETE FROM box WHERE media_id = ?').run(mediaId);
    return annotated;
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
        `DELETE FROM box WHERE object_id IN (
           SELECT object_id FROM object WHERE row IN (SELECT value FROM json_each(?)))`,
      )
      .run(chosen);
    this.#db.prepare<[string]>('DELETE FROM object WHERE row IN (SELECT value FROM json_each(?))').run(chosen);
  }
}
