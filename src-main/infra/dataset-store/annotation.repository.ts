import type Database from 'better-sqlite3';
import type { AnnotationProblemRow, SourceRow } from '../../core/dataset-store.port.ts';

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
  source: string;
}

/** Annotation files of one dataset, labels, captions, and what was of no use. */
export class AnnotationRepository {
  readonly #db: Database.Database;

  // What runs for every row of annotations is prepared once.
  readonly #find_file: Database.Statement<[string, string], AnnotatedFile>;
  readonly #add_label: Database.Statement<[Said & { label: string; class_id: number | null }]>;
  readonly #add_caption: Database.Statement<[Said & { caption: string }]>;
  readonly #add_problem: Database.Statement<[AnnotationProblemRow]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#find_file = db.prepare(
      `SELECT kind, state, problem_reason, row, media_id, media.width, media.height FROM file LEFT JOIN media USING (file_id)
       WHERE file_path = ? AND kind <> 'annotation' ORDER BY state = 'missing', batch_id = ? DESC, media_id IS NULL, file_id DESC LIMIT 1`,
    );
    this.#add_label = db.prepare(
      `INSERT INTO label (media_id, label, class_id, source, batch_id) VALUES (:media_id, :label, :class_id, :source, :batch_id)
       ON CONFLICT DO NOTHING`,
    );
    this.#add_caption = db.prepare(
      `INSERT INTO caption (media_id, caption, source, batch_id) VALUES (:media_id, :caption, :source, :batch_id) ON CONFLICT DO NOTHING`,
    );
    this.#add_problem = db.prepare(
      'INSERT INTO annotation_problem (batch_id, source_path, line, reason) VALUES (:batch_id, :source_path, :line, :reason)',
    );
  }

  /** Whether annotation files of a batch are still to be read. */
  isWaiting(batch_id: string): boolean {
    return (
      this.#db
        .prepare<[string]>(
          `SELECT 1 FROM file WHERE batch_id = ? AND kind = 'annotation' AND state = 'pending' LIMIT 1`,
        )
        .get(batch_id) !== undefined
    );
  }

  /** All of a batch that there are bytes of. */
  listFiles(batch_id: string): AnnotationFileRow[] {
    return this.#db
      .prepare<[string], AnnotationFileRow>(
        `SELECT file_path, location, source.kind, root FROM file JOIN source USING (source_id)
         WHERE batch_id = ? AND file.kind = 'annotation' AND state IN ('pending', 'done') ORDER BY file_path`,
      )
      .all(batch_id);
  }

  /** Paths of all media of the dataset. */
  mediaPaths(): string[] {
    return this.#db.prepare<[], string>(`SELECT DISTINCT file_path FROM file WHERE kind <> 'annotation'`).pluck().all();
  }

  /** The file of a path; of several batches' the given one's, else the latest that could be read. */
  findFile(file_path: string, batch_id: string): AnnotatedFile | undefined {
    return this.#find_file.get(file_path, batch_id);
  }

  addLabel(said: Said & { label: string; class_id: number | null }): void {
    this.#add_label.run(said);
  }

  addCaption(said: Said & { caption: string }): void {
    this.#add_caption.run(said);
  }

  addProblem(problem: AnnotationProblemRow): void {
    this.#add_problem.run(problem);
  }

  /** Forgets what earlier batches found wrong with a batch's files: they are read anew. Joins the caller's transaction. */
  deleteFormerProblems(batch_id: string): void {
    this.#db
      .prepare<{ batch_id: string }>(
        `DELETE FROM annotation_problem WHERE batch_id <> :batch_id AND EXISTS (
           SELECT 1 FROM file JOIN batch ON batch.batch_id = annotation_problem.batch_id
           WHERE file.batch_id = :batch_id AND file.kind = 'annotation' AND file_path = source_path AND file.source_id = batch.source_id)`,
      )
      .run({ batch_id });
  }

  /** Marks what there was to read as read; files that could not be had become problems. Joins the caller's transaction. */
  finish(batch_id: string): void {
    this.deleteFormerProblems(batch_id);
    this.#db
      .prepare<[string]>(
        `UPDATE file SET state = 'done' WHERE batch_id = ? AND kind = 'annotation' AND state = 'pending'`,
      )
      .run(batch_id);
    this.#db
      .prepare<[string]>(
        `INSERT INTO annotation_problem (batch_id, source_path, line, reason)
         SELECT batch_id, file_path, NULL, problem_reason FROM file
         WHERE batch_id = ? AND kind = 'annotation' AND state = 'failed' AND NOT EXISTS (
           SELECT 1 FROM annotation_problem WHERE annotation_problem.batch_id = file.batch_id AND source_path = file_path AND line IS NULL)`,
      )
      .run(batch_id);
  }

  /** Forgets all that a batch's annotations said of whole items. Joins the caller's transaction. */
  deleteBatch(batch_id: string): void {
    for (const table of ['label', 'caption', 'annotation_problem']) {
      this.#db.prepare<[string]>(`DELETE FROM ${table} WHERE batch_id = ?`).run(batch_id);
    }
  }

  listProblems(query: { offset: number; limit: number }): {
    annotation_problems: AnnotationProblemRow[];
    total: number;
  } {
    const annotation_problems = this.#db
      .prepare<typeof query, AnnotationProblemRow>(
        `SELECT source_path, line, reason, batch_id FROM annotation_problem
         ORDER BY source_path, line, problem_id LIMIT :limit OFFSET :offset`,
      )
      .all(query);
    return { annotation_problems, total: this.#count('annotation_problem', undefined) };
  }

  counts(batch_id?: string): { n_labels: number; n_captions: number; n_annotation_problems: number } {
    return {
      n_labels: this.#count('label', batch_id),
      n_captions: this.#count('caption', batch_id),
      n_annotation_problems: this.#count('annotation_problem', batch_id),
    };
  }

  labelsOf(media_id: string): string[] {
    return this.#db
      .prepare<[string], { label: string }>('SELECT DISTINCT label FROM label WHERE media_id = ? ORDER BY label')
      .all(media_id)
      .map((row) => row.label);
  }

  captionsOf(media_id: string): string[] {
    return this.#db
      .prepare<[string], { caption: string }>('SELECT caption FROM caption WHERE media_id = ? ORDER BY rowid')
      .all(media_id)
      .map((row) => row.caption);
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

  /** Every item's labels in order of row. */
  labelsByRow(): Iterable<{ row: number; label: string }> {
    return this.#db
      .prepare<[], { row: number; label: string }>(
        'SELECT DISTINCT row, label FROM label JOIN media USING (media_id) ORDER BY row, label',
      )
      .iterate();
  }

  listLabels(limit: number): { name: string; count: number }[] {
    return this.#db
      .prepare<[number], { name: string; count: number }>(
        'SELECT label AS name, count(DISTINCT media_id) AS count FROM label GROUP BY label ORDER BY count DESC, name LIMIT ?',
      )
      .all(limit);
  }

  #count(table: 'label' | 'caption' | 'annotation_problem', batch_id: string | undefined): number {
    return (
      this.#db
        .prepare<{ batch_id: string | null }, { n: number }>(
          `SELECT count(*) AS n FROM ${table} WHERE :batch_id IS NULL OR batch_id = :batch_id`,
        )
        .get({ batch_id: batch_id ?? null })?.n ?? 0
    );
  }
}
