import type Database from 'better-sqlite3';
import { onFirstUse } from '../../sqlite/on-first-use.ts';
import { SHOWN_CONFIDENCES } from './labels-of-rows.ts';

/** Condition on a label of an item: one of an annotation file, or of at least a confidence. */
const isFrom = (least: number | string) =>
  `(annotation_path IS NOT NULL OR confidence IS NULL OR confidence >= ${least})`;
/** Condition on a label of an item that is shown by default. */
export const IS_SHOWN = isFrom(SHOWN_CONFIDENCES.IMAGES.own);

/** Labels and captions of the items of one dataset, from all sources. */
export class AnnotationRepository {
  readonly #db: Database.Database;
  /** Statements that run once per page are prepared once. */
  readonly #hasCaptions: () => Database.Statement<[], number>;
  readonly #captionsOfRows: () => Database.Statement<[string], { row: number; caption: string }>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#hasCaptions = onFirstUse(() => db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM caption)').pluck());
    this.#captionsOfRows = onFirstUse(() =>
      db.prepare(
        `SELECT row, caption FROM caption JOIN media USING (media_id)
       WHERE row IN (SELECT value FROM json_each(?)) ORDER BY row, source = 'User', caption.rowid DESC`,
      ),
    );
  }

  counts(batchId?: string): { n_labels: number; n_captions: number; n_annotation_problems: number } {
    return {
      n_labels: this.#count('label', batchId, IS_SHOWN),
      n_captions: this.#count('caption', batchId),
      n_annotation_problems: this.#count('annotation_problem', batchId),
    };
  }

  /**
   * Returns the labels of an item, highest confidence first; labels from annotations before labels from models.
   * @param least Minimum confidence of labels from models.
   */
  labelsOf(
    mediaId: string,
    least = SHOWN_CONFIDENCES.IMAGES.own,
  ): { label: string; source: string; confidence: number | null }[] {
    return this.#db
      .prepare<[string, number], { label: string; source: string; confidence: number | null }>(
        `SELECT label, source, confidence FROM label WHERE media_id = ? AND ${isFrom('?')}
         ORDER BY confidence DESC NULLS FIRST, label`,
      )
      .all(mediaId, least);
  }

  /** Yields all rows that have some of the labels, if they are shown by default. */
  rowsOfLabels(labels: readonly string[]): Iterable<{ row: number; label: string }> {
    if (labels.length === 0) return [];
    return this.#db
      .prepare<[string], { row: number; label: string }>(
        `SELECT row, label FROM label JOIN media USING (media_id)
         WHERE ${IS_SHOWN} AND label IN (SELECT value FROM json_each(?))`,
      )
      .iterate(JSON.stringify(labels));
  }

  /** Returns the labels of many items that are shown by default, by row. */
  labelsOfRows(rows: readonly number[]): { row: number; label: string; source: string; confidence: number | null }[] {
    return this.#db
      .prepare<[string], { row: number; label: string; source: string; confidence: number | null }>(
        `SELECT row, label, source, confidence FROM media JOIN label USING (media_id)
         WHERE ${IS_SHOWN} AND row IN (SELECT value FROM json_each(?)) ORDER BY row, confidence DESC NULLS FIRST, label`,
      )
      .all(JSON.stringify(rows));
  }

  /** Returns all captions of many items, by row. */
  allCaptionsOfRows(rows: readonly number[]): { row: number; caption: string; source: string }[] {
    return this.#db
      .prepare<[string], { row: number; caption: string; source: string }>(
        `SELECT row, caption, source FROM media JOIN caption USING (media_id)
         WHERE row IN (SELECT value FROM json_each(?)) ORDER BY row, caption.rowid`,
      )
      .all(JSON.stringify(rows));
  }

  /** Lists the labels of all items and objects, with their class numbers if annotations or models give one. */
  listClasses(): { label: string; class_id: number | null }[] {
    return this.#db
      .prepare<[], { label: string; class_id: number | null }>(
        `SELECT DISTINCT label, class_id FROM object UNION SELECT DISTINCT label, class_id FROM label WHERE ${IS_SHOWN}`,
      )
      .all();
  }

  captionsOf(mediaId: string): { caption: string; source: string }[] {
    return this.#db
      .prepare<[string], { caption: string; source: string }>(
        "SELECT caption, source FROM caption WHERE media_id = ? ORDER BY source <> 'User', rowid",
      )
      .all(mediaId);
  }

  /** Returns the first caption of items, by row, that of people before others; rows without captions are left out. */
  captionsOfRows(rows: readonly number[]): Map<number, string> {
    // Many datasets have no captions, and searching for those of a page takes a tenth of the page's time.
    if (this.#hasCaptions().get() === 0) return new Map();
    const captions = this.#captionsOfRows().all(JSON.stringify(rows));
    return new Map(captions.map(({ row, caption }) => [row, caption]));
  }

  #count(table: 'label' | 'caption' | 'annotation_problem', batchId: string | undefined, where = 'true'): number {
    return (
      this.#db
        .prepare<{ batch_id: string | null }, { n: number }>(
          `SELECT count(*) AS n FROM ${table} WHERE ${where} AND (:batch_id IS NULL OR batch_id = :batch_id)`,
        )
        .get({ batch_id: batchId ?? null })?.n ?? 0
    );
  }
}
