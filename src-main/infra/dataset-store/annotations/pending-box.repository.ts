import type Database from 'better-sqlite3';
import type { BoxCursor } from '../../../core/ports/boxes.ts';
import type { SourceRow } from '../../../core/ports/dataset-sources.ts';
import type { PixelBox } from '../../../core/ports/image.ts';
import { onFirstUse } from '../../sqlite/on-first-use.ts';

/** A box that waits to become an object. */
export interface PendingBox extends PixelBox {
  batch_id: string;
  media_id: string;
  /** Used only for ordering, so that boxes of one image are consecutive. */
  media_row: number;
  label: string;
  class_id: number | null;
  source: string;
  /** Confidence of the model, 0 … 1; null for annotations. */
  confidence: number | null;
  /** Caption from an annotation file, and its source. */
  caption?: string | null;
  caption_source?: string | null;
  /** Empty for boxes of models. */
  annotation_path: string;
  line: number | null;
}

/** A pending box as stored. If an object is described again, its box has the object's id. */
export interface StoredBox extends PendingBox {
  object_id: string | null;
}

export interface BoxToDescribe extends PixelBox {
  box_id: number;
  media_row: number;
  image_width: number;
  image_height: number;
  location: string;
  kind: SourceRow['kind'];
  root: string;
}

/** Boxes that wait for a thumbnail and vectors to become objects. */
export class PendingBoxRepository {
  readonly #db: Database.Database;
  // Statements that run for every annotation row or box are prepared once.
  readonly #add: () => Database.Statement<[PendingBox]>;
  readonly #find: () => Database.Statement<[number], StoredBox>;
  readonly #delete: () => Database.Statement<[number]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#add = onFirstUse(() =>
      db.prepare(
        `INSERT INTO box (batch_id, media_id, media_row, x, y, width, height, label, class_id, source, confidence, caption,
         caption_source, annotation_path, line)
       VALUES (:batch_id, :media_id, :media_row, :x, :y, :width, :height, :label, :class_id, :source, :confidence, :caption,
         :caption_source, :annotation_path, :line)`,
      ),
    );
    this.#find = onFirstUse(() => db.prepare('SELECT * FROM box WHERE box_id = ?'));
    this.#delete = onFirstUse(() => db.prepare('DELETE FROM box WHERE box_id = ?'));
  }

  add(box: PendingBox): void {
    this.#add().run(box);
  }

  /**
   * Takes over pending boxes of failed batches of watched folders: the files of boxes that are not objects yet are read again. Joins the
   * caller's transaction.
   */
  adopt(batchId: string): void {
    const left = `batch_id <> :batch_id AND batch_id IN (SELECT batch_id FROM batch WHERE kind = 'watch')`;
    this.#db
      .prepare<{ batch_id: string }>(
        `UPDATE file SET state = 'pending' WHERE kind = 'annotation' AND state = 'done' AND ${left} AND EXISTS (
           SELECT 1 FROM box
           WHERE box.batch_id = file.batch_id AND annotation_path = file_path AND object_id IS NULL)`,
      )
      .run({ batch_id: batchId });
    this.#db
      .prepare<{ batch_id: string }>(`DELETE FROM box WHERE object_id IS NULL AND annotation_path <> '' AND ${left}`)
      .run({ batch_id: batchId });
    this.#db
      .prepare<{ batch_id: string }>(`UPDATE box SET batch_id = :batch_id WHERE ${left}`)
      .run({ batch_id: batchId });
  }

  /** Counts boxes that batches of watched folders left pending. */
  countOfWatches(): number {
    return (
      this.#db
        .prepare<[], number>(
          `SELECT count(*) FROM box WHERE batch_id IN (SELECT batch_id FROM batch WHERE kind = 'watch')`,
        )
        .pluck()
        .get() ?? 0
    );
  }

  count(batchId: string): number {
    return (
      this.#db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM box WHERE batch_id = ?').get(batchId)?.n ?? 0
    );
  }

  /** Lists boxes in order of image. */
  list(batchId: string, after: BoxCursor, limit: number): BoxToDescribe[] {
    return this.#db
      .prepare<{ batch_id: string; media_row: number; box_id: number; limit: number }, BoxToDescribe>(
        `SELECT box_id, media_row, x, y, box.width, box.height, media.width AS image_width,
           media.height AS image_height, location, source.kind, root
         FROM box JOIN media USING (media_id) JOIN file USING (file_id) JOIN source USING (source_id)
         WHERE box.batch_id = :batch_id AND (media_row, box_id) > (:media_row, :box_id)
         ORDER BY media_row, box_id LIMIT :limit`,
      )
      .all({ batch_id: batchId, media_row: after?.media_row ?? -1, box_id: after?.box_id ?? -1, limit });
  }

  find(boxId: number): StoredBox | undefined {
    return this.#find().get(boxId);
  }

  delete(boxId: number): void {
    this.#delete().run(boxId);
  }

  /** Deletes the pending boxes of a batch, except boxes of objects that are described again. Joins the caller's transaction. */
  deleteBatch(batchId: string): void {
    this.#db.prepare<[string]>('DELETE FROM box WHERE batch_id = ? AND object_id IS NULL').run(batchId);
  }
}
