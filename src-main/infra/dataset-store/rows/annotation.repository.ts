import type Database from 'better-sqlite3';
import type { AnnotationProblemRow } from '../../../core/ports/dataset-reader.ts';
import type { SourceRow } from '../../../core/ports/dataset-sources.ts';

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

/** The file that annotations mean, and its item if it became one. */
export interface AnnotatedFile {
  kind: 'image' | 'video';
  state: string;
  problem_reason: string | null;
  row: number | null;
  media_id: string | null;
  width: number | null;
  height: number | null;
}

export interface AnnotationFileRow {
  file_path: string;
  location: string;
  kind: SourceRow['kind'];
  root: string;
}

interface Said {
  media_id: string;
  batch_id: string;
  /** Relative path of the file that says it. */
  annotation_path: string;
}

/** Annotation files of one dataset, labels, captions, and what was of no use. */
export class AnnotationRepository {
  readonly #db: Database.Database;

  // What runs for every row of annotations is prepared once.
  readonly #findFile: Database.Statement<[string, string], AnnotatedFile>;
  readonly #addLabel: Database.Statement<[Said & { label: string; class_id: number | null }]>;
  readonly #addCaption: Database.Statement<[Said & { caption: string }]>;
  readonly #claimLabel: Database.Statement<[Said & { label: string }]>;
  readonly #claimCaption: Database.Statement<[Said & { caption: string }]>;
  readonly #takeOverLabel: Database.Statement<[Said & { label: string }]>;
  readonly #takeOverCaption: Database.Statement<[Said & { caption: string }]>;
  readonly #addProblem: Database.Statement<[AnnotationProblemRow]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#findFile = db.prepare(
      `SELECT kind, state, problem_reason, row, media_id, media.width, media.height FROM file LEFT JOIN media USING (file_id)
       WHERE file_path = ? AND kind <> 'annotation' ORDER BY state = 'missing', batch_id = ? DESC, media_id IS NULL, file_id DESC LIMIT 1`,
    );
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
    this.#addProblem = db.prepare(
      `INSERT INTO annotation_problem (batch_id, source_path, line, reason) VALUES (:batch_id, :source_path, :line, :reason)
       ON CONFLICT DO NOTHING`,
    );
  }

  /** Whether annotation files of a batch are still to be read. */
  isWaiting(batchId: string): boolean {
    return (
      this.#db
        .prepare<[string]>(
          `SELECT 1 FROM file WHERE batch_id = ? AND kind = 'annotation' AND state = 'pending' LIMIT 1`,
        )
        .get(batchId) !== undefined
    );
  }

  /** All of a batch that there are bytes of. */
  listFiles(batchId: string): AnnotationFileRow[] {
    return this.#db
      .prepare<[string], AnnotationFileRow>(
        `SELECT file_path, location, source.kind, root FROM file JOIN source USING (source_id)
         WHERE batch_id = ? AND file.kind = 'annotation' AND state IN ('pending', 'done') ORDER BY file_path`,
      )
      .all(batchId);
  }

  /** Paths of all media of the dataset. */
  mediaPaths(): string[] {
    return this.#db.prepare<[], string>(`SELECT DISTINCT file_path FROM file WHERE kind <> 'annotation'`).pluck().all();
  }

  /** The file of a path; of several batches' the given one's, else the latest that could be read. */
  findFile(filePath: string, batchId: string): AnnotatedFile | undefined {
    return this.#findFile.get(filePath, batchId);
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

  /** What was wrong in an annotation file that is there no more. Joins the caller's transaction. */
  deleteProblemsOf(sourceId: string, sourcePath: string): void {
    this.#db
      .prepare<[string, string]>(
        `DELETE FROM annotation_problem WHERE source_path = ? AND batch_id IN (SELECT batch_id FROM batch WHERE source_id = ?)`,
      )
      .run(sourcePath, sourceId);
  }

  /** The same of the same line is told once. */
  addProblem(problem: AnnotationProblemRow): void {
    this.#addProblem.run(problem);
  }

  /** Forgets what earlier batches found wrong with a batch's files: they are read anew. Joins the caller's transaction. */
  deleteFormerProblems(batchId: string): void {
    this.#db
      .prepare<{ batch_id: string }>(
        `DELETE FROM annotation_problem WHERE batch_id <> :batch_id AND EXISTS (
           SELECT 1 FROM file JOIN batch ON batch.batch_id = annotation_problem.batch_id
           WHERE file.batch_id = :batch_id AND file.kind = 'annotation' AND file_path = source_path AND file.source_id = batch.source_id)`,
      )
      .run({ batch_id: batchId });
  }

  /** Marks what there was to read as read; files that could not be had become problems. Joins the caller's transaction. */
  finish(batchId: string): void {
    this.deleteFormerProblems(batchId);
    this.#db
      .prepare<[string]>(
        `UPDATE file SET state = 'done' WHERE batch_id = ? AND kind = 'annotation' AND state = 'pending'`,
      )
      .run(batchId);
    this.#db
      .prepare<[string]>(
        `INSERT INTO annotation_problem (batch_id, source_path, line, reason)
         SELECT batch_id, file_path, NULL, problem_reason FROM file
         WHERE batch_id = ? AND kind = 'annotation' AND state = 'failed' AND NOT EXISTS (
           SELECT 1 FROM annotation_problem WHERE annotation_problem.batch_id = file.batch_id AND source_path = file_path AND line IS NULL)`,
      )
      .run(batchId);
  }

  /** Forgets all that a batch's annotations said of whole items. Joins the caller's transaction. */
  deleteBatch(batchId: string): void {
    for (const table of ['label', 'caption', 'annotation_problem']) {
      this.#db.prepare<[string]>(`DELETE FROM ${table} WHERE batch_id = ?`).run(batchId);
    }
  }

  listProblems(query: { offset: number; limit: number }): {
    annotation_problems: AnnotationProblemRow[];
    total: number;
  } {
    const annotationProblems = this.#db
      .prepare<typeof query, AnnotationProblemRow>(
        `SELECT source_path, line, reason, batch_id FROM annotation_problem
         ORDER BY source_path, line, problem_id LIMIT :limit OFFSET :offset`,
      )
      .all(query);
    return { annotation_problems: annotationProblems, total: this.#count('annotation_problem', undefined) };
  }

  counts(batchId?: string): { n_labels: number; n_captions: number; n_annotation_problems: number } {
    return {
      n_labels: this.#count('label', batchId),
      n_captions: this.#count('caption', batchId),
      n_annotation_problems: this.#count('annotation_problem', batchId),
    };
  }

  /** The surest first; those of annotations before those of models. */
  labelsOf(mediaId: string): { label: string; source: string; confidence: number | null }[] {
    return this.#db
      .prepare<[string], { label: string; source: string; confidence: number | null }>(
        'SELECT label, source, confidence FROM label WHERE media_id = ? ORDER BY confidence DESC NULLS FIRST, label',
      )
      .all(mediaId);
  }

  captionsOf(mediaId: string): { caption: string; source: string }[] {
    return this.#db
      .prepare<[string], { caption: string; source: string }>(
        'SELECT caption, source FROM caption WHERE media_id = ? ORDER BY rowid',
      )
      .all(mediaId);
  }

  /** Labels and the first caption of items, by row; rows with neither are left out. */
  saidOf(rows: readonly number[]): Map<number, { labels: string[]; caption: string | null }> {
    const said = new Map<number, { labels: string[]; caption: string | null }>();
    const of = (row: number) => {
      const known = said.get(row) ?? { labels: [], caption: null };
      said.set(row, known);
      return known;
    };
    const wanted = JSON.stringify(rows);
    const chosen = 'JOIN media USING (media_id) WHERE row IN (SELECT value FROM json_each(?))';
    const labels = this.#db
      .prepare<[string], { row: number; label: string }>(
        `SELECT DISTINCT row, label FROM label ${chosen} ORDER BY row, label`,
      )
      .all(wanted);
    for (const { row, label } of labels) of(row).labels.push(label);
    const captions = this.#db
      .prepare<[string], { row: number; caption: string }>(
        `SELECT row, caption FROM caption ${chosen} ORDER BY row, caption.rowid`,
      )
      .all(wanted);
    for (const { row, caption } of captions) of(row).caption ??= caption;
    return said;
  }

  #count(table: 'label' | 'caption' | 'annotation_problem', batchId: string | undefined): number {
    return (
      this.#db
        .prepare<{ batch_id: string | null }, { n: number }>(
          `SELECT count(*) AS n FROM ${table} WHERE :batch_id IS NULL OR batch_id = :batch_id`,
        )
        .get({ batch_id: batchId ?? null })?.n ?? 0
    );
  }
}
