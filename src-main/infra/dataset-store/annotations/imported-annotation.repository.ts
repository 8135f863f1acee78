import type Database from 'better-sqlite3';

/**
 * `source` of labels, captions and boxes from annotation files that state no other. All annotations from files have an `annotation_path`;
 * those of people and models have none.
 */
export const IMPORTED = 'Import';

/**
 * SQL condition for annotations that earlier batches of the same folder took from annotation files which the batch has read again. A file
 * that could not be read completely replaces nothing, and annotations of a deleted file are kept. Applies to `label`, `caption` and
 * `object`; `:batch_id` is bound.
 */
export const PREVIOUSLY_IMPORTED = `batch_id IN (
    SELECT earlier.batch_id FROM batch JOIN batch AS earlier USING (source_id)
    WHERE batch.batch_id = :batch_id AND earlier.batch_id <> :batch_id)
  AND annotation_path IN (SELECT file_path FROM file WHERE batch_id = :batch_id AND kind = 'annotation' AND state IN ('pending', 'done'))
  AND annotation_path NOT IN (SELECT source_path FROM annotation_problem WHERE batch_id = :batch_id AND line IS NULL)`;

interface Origin {
  media_id: string;
  source: string;
  /** Relative path of the annotation file. */
  annotation_path: string;
}

interface ImportedLabel {
  label: string;
  class_id: number | null;
  confidence: number | null;
}

/**
 * Labels and captions of one dataset that come from annotation files. A run collects what it reads separately, then replaces the previous
 * versions in one transaction, so that readers never see both or neither.
 */
export class ImportedAnnotationRepository {
  readonly #db: Database.Database;

  // Statements that run for every annotation row are prepared once.
  readonly #addLabel: Database.Statement<[Origin & ImportedLabel]>;
  readonly #addCaption: Database.Statement<[Origin & { caption: string }]>;

  constructor(db: Database.Database) {
    this.#db = db;
    // An interrupted run starts again from the beginning, so the collected rows may be lost with the connection.
    db.exec(`CREATE TEMP TABLE read_label (
               media_id TEXT, label TEXT, class_id INTEGER, confidence REAL, source TEXT, annotation_path TEXT,
               PRIMARY KEY (media_id, label, source)) WITHOUT ROWID;
             CREATE TEMP TABLE read_caption (
               nth INTEGER PRIMARY KEY, media_id TEXT, caption TEXT, source TEXT, annotation_path TEXT, UNIQUE (media_id, caption, source))`);
    this.#addLabel = db.prepare(
      'INSERT OR IGNORE INTO read_label VALUES (:media_id, :label, :class_id, :confidence, :source, :annotation_path)',
    );
    this.#addCaption = db.prepare(
      'INSERT OR IGNORE INTO read_caption (media_id, caption, source, annotation_path) VALUES (:media_id, :caption, :source, :annotation_path)',
    );
  }

  addLabel(imported: Origin & ImportedLabel): void {
    this.#addLabel.run(imported);
  }

  addCaption(imported: Origin & { caption: string }): void {
    this.#addCaption.run(imported);
  }

  /** Deletes the collected rows. */
  clear(): void {
    this.#db.exec('DELETE FROM read_label; DELETE FROM read_caption');
  }

  /**
   * Publishes the collected rows. Removes annotations that only previous versions of a batch's annotation files contain; existing identical
   * ones keep their batch. Joins the caller's transaction.
   */
  publish(batchId: string): void {
    this.#publish('label', 'label, class_id, confidence', 'media_id, label', batchId);
    this.#publish('caption', 'caption', 'nth', batchId);
    this.clear();
  }

  #publish(table: 'label' | 'caption', columns: string, order: string, batchId: string): void {
    this.#db
      .prepare<{ batch_id: string }>(
        `DELETE FROM ${table} WHERE ${PREVIOUSLY_IMPORTED} AND NOT EXISTS (
           SELECT 1 FROM read_${table} AS read
           WHERE read.media_id = ${table}.media_id AND read.${table} = ${table}.${table} AND read.source = ${table}.source)`,
      )
      .run({ batch_id: batchId });
    this.#db
      .prepare<{ batch_id: string }>(
        `INSERT INTO ${table} (media_id, ${columns}, source, batch_id, annotation_path)
         SELECT media_id, ${columns}, source, :batch_id, annotation_path FROM read_${table} WHERE true ORDER BY ${order}
         ON CONFLICT (media_id, ${table}, source) DO UPDATE SET annotation_path = excluded.annotation_path WHERE ${table}.batch_id IN (
           SELECT earlier.batch_id FROM batch JOIN batch AS earlier USING (source_id) WHERE batch.batch_id = :batch_id)`,
      )
      .run({ batch_id: batchId });
  }

  /** Whether a batch has published labels of a source. */
  listLabelsOf(source: string): string[] {
    return this.#db.prepare<[string], string>('SELECT DISTINCT label FROM label WHERE source = ?').pluck().all(source);
  }

  hasLabelsOf(batchId: string, source: string): boolean {
    return (
      this.#db
        .prepare<[string, string]>('SELECT 1 FROM label WHERE batch_id = ? AND source = ? LIMIT 1')
        .get(batchId, source) !== undefined
    );
  }

  /** Deletes all labels and captions of whole items that came with a batch. Joins the caller's transaction. */
  deleteBatch(batchId: string): void {
    for (const table of ['label', 'caption']) {
      this.#db.prepare<[string]>(`DELETE FROM ${table} WHERE batch_id = ?`).run(batchId);
    }
  }
}
