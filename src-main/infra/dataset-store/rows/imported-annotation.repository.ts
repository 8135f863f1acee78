import type Database from 'better-sqlite3';

/** Where labels, captions and boxes of annotation files came from, as exports name it. */
export const IMPORTED = 'Import';

/**
 * What earlier batches of the same folder took from the annotation files that a batch has read again. A file that could not be read to
 * its end replaces nothing, and what a file said that is there no more stays. For `label`, `caption` and `object`; `:batch_id` is bound.
 */
export const SAID_BEFORE = `source = '${IMPORTED}' AND batch_id IN (
    SELECT earlier.batch_id FROM batch JOIN batch AS earlier USING (source_id)
    WHERE batch.batch_id = :batch_id AND earlier.batch_id <> :batch_id)
  AND annotation_path IN (SELECT file_path FROM file WHERE batch_id = :batch_id AND kind = 'annotation' AND state IN ('pending', 'done'))
  AND annotation_path NOT IN (SELECT source_path FROM annotation_problem WHERE batch_id = :batch_id AND line IS NULL)`;

interface Said {
  media_id: string;
  batch_id: string;
  /** Relative path of the file that says it. */
  annotation_path: string;
}

/** Labels and captions of one dataset that annotation files say. */
export class ImportedAnnotationRepository {
  readonly #db: Database.Database;

  // What runs for every row of annotations is prepared once.
  readonly #addLabel: Database.Statement<[Said & { label: string; class_id: number | null }]>;
  readonly #addCaption: Database.Statement<[Said & { caption: string }]>;
  readonly #claimLabel: Database.Statement<[Said & { label: string }]>;
  readonly #claimCaption: Database.Statement<[Said & { caption: string }]>;
  readonly #takeOverLabel: Database.Statement<[Said & { label: string }]>;
  readonly #takeOverCaption: Database.Statement<[Said & { caption: string }]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#addLabel = db.prepare(
      `INSERT INTO label (media_id, label, class_id, source, batch_id, annotation_path)
       VALUES (:media_id, :label, :class_id, '${IMPORTED}', :batch_id, :annotation_path) ON CONFLICT DO NOTHING`,
    );
    this.#addCaption = db.prepare(
      `INSERT INTO caption (media_id, caption, source, batch_id, annotation_path)
       VALUES (:media_id, :caption, '${IMPORTED}', :batch_id, :annotation_path) ON CONFLICT DO NOTHING`,
    );
    db.exec(`CREATE TEMP TABLE claimed_label (media_id TEXT, label TEXT, PRIMARY KEY (media_id, label)) WITHOUT ROWID;
             CREATE TEMP TABLE claimed_caption (media_id TEXT, caption TEXT, PRIMARY KEY (media_id, caption)) WITHOUT ROWID`);
    const takeOver = (table: 'label' | 'caption') =>
      `UPDATE ${table} SET annotation_path = :annotation_path
       WHERE media_id = :media_id AND ${table} = :${table} AND source = '${IMPORTED}' AND batch_id IN (
         SELECT earlier.batch_id FROM batch JOIN batch AS earlier USING (source_id) WHERE batch.batch_id = :batch_id)`;
    this.#claimLabel = db.prepare('INSERT OR IGNORE INTO claimed_label VALUES (:media_id, :label)');
    this.#claimCaption = db.prepare('INSERT OR IGNORE INTO claimed_caption VALUES (:media_id, :caption)');
    this.#takeOverLabel = db.prepare(takeOver('label'));
    this.#takeOverCaption = db.prepare(takeOver('caption'));
  }

  /** A label that is known already is claimed: {@link sweep} leaves it. Joins the caller's transaction. */
  addLabel(said: Said & { label: string; class_id: number | null }): void {
    if (this.#addLabel.run(said).changes > 0) return;
    const { class_id: _class_id, ...known } = said;
    this.#claimLabel.run(known);
    this.#takeOverLabel.run(known);
  }

  /** As {@link addLabel}. */
  addCaption(said: Said & { caption: string }): void {
    if (this.#addCaption.run(said).changes > 0) return;
    this.#claimCaption.run(said);
    this.#takeOverCaption.run(said);
  }

  clearClaims(): void {
    this.#db.exec('DELETE FROM claimed_label; DELETE FROM claimed_caption');
  }

  /** Removes what former versions of a batch's annotation files said and they do not any more. Joins the caller's transaction. */
  sweep(batchId: string): void {
    for (const table of ['label', 'caption']) {
      this.#db
        .prepare<{ batch_id: string }>(
          `DELETE FROM ${table} WHERE ${SAID_BEFORE} AND NOT EXISTS (
             SELECT 1 FROM claimed_${table} AS claimed WHERE claimed.media_id = ${table}.media_id AND claimed.${table} = ${table}.${table})`,
        )
        .run({ batch_id: batchId });
    }
  }

  /** Forgets all that a batch's annotations said of whole items. Joins the caller's transaction. */
  deleteBatch(batchId: string): void {
    for (const table of ['label', 'caption']) {
      this.#db.prepare<[string]>(`DELETE FROM ${table} WHERE batch_id = ?`).run(batchId);
    }
  }
}
