import type Database from 'better-sqlite3';
import { readMessage, type StoredReason, storeMessage } from '../../../contract/messages.ts';
import type { AnnotationProblemRow } from '../../../core/ports/annotations.ts';
import { onFirstUse } from '../../sqlite/on-first-use.ts';

/** An annotation entry that cannot be used. */
type NewProblem = AnnotationProblemRow & {
  /** Name of the media file that the entry is about, as the annotations spell it, if another file of that name may solve the problem. */
  file_key: string | null;
};

/** Entries in the annotation files of one dataset that cannot be used. */
export class AnnotationProblemRepository {
  readonly #db: Database.Database;
  /** Runs for every annotation row, so it is prepared once. */
  readonly #add: () => Database.Statement<[StoredReason<NewProblem>]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#add = onFirstUse(() =>
      db.prepare(
        `INSERT INTO annotation_problem (batch_id, source_path, line, reason, file_key)
       VALUES (:batch_id, :source_path, :line, :reason, :file_key)
       ON CONFLICT DO NOTHING`,
      ),
    );
  }

  /** Stores a problem unless the same one is stored for the line. */
  add(problem: NewProblem): void {
    this.#add().run({ ...problem, reason: storeMessage(problem.reason) });
  }

  /** Deletes the problems of an annotation file that was deleted. Joins the caller's transaction. */
  deleteOf(sourceId: string, sourcePath: string): void {
    this.#db
      .prepare<[string, string]>(
        `DELETE FROM annotation_problem WHERE source_path = ? AND batch_id IN (SELECT batch_id FROM batch WHERE source_id = ?)`,
      )
      .run(sourcePath, sourceId);
  }

  /**
   * Deletes problems that earlier batches recorded for a batch's files, because the files are read again. Joins the caller's transaction.
   */
  deletePrevious(batchId: string): void {
    this.#db
      .prepare<{ batch_id: string }>(
        `DELETE FROM annotation_problem WHERE batch_id <> :batch_id AND EXISTS (
           SELECT 1 FROM file JOIN batch ON batch.batch_id = annotation_problem.batch_id
           WHERE file.batch_id = :batch_id AND file.kind = 'annotation' AND file_path = source_path AND file.source_id = batch.source_id)`,
      )
      .run({ batch_id: batchId });
  }

  /** Deletes the problems of a batch. Joins the caller's transaction. */
  deleteBatch(batchId: string): void {
    this.#db.prepare<[string]>('DELETE FROM annotation_problem WHERE batch_id = ?').run(batchId);
  }

  list(query: { offset: number; limit: number }): {
    annotation_problems: AnnotationProblemRow[];
    total: number;
  } {
    const annotationProblems = this.#db
      .prepare<typeof query, StoredReason<AnnotationProblemRow>>(
        `SELECT source_path, line, reason, batch_id FROM annotation_problem
         ORDER BY source_path, line, problem_id LIMIT :limit OFFSET :offset`,
      )
      .all(query)
      .map((row) => ({ ...row, reason: readMessage(row.reason) }));
    const total = this.#db.prepare<[], number>('SELECT count(*) FROM annotation_problem').pluck().get() ?? 0;
    return { annotation_problems: annotationProblems, total };
  }

  /** Lists media files that annotation files of the batch's folder name and that were missing, ambiguous or unusable. */
  listUnmatchedFiles(batchId: string): string[] {
    return this.#db
      .prepare<[string], string>(
        `SELECT DISTINCT file_key FROM annotation_problem WHERE file_key IS NOT NULL AND batch_id IN (
           SELECT earlier.batch_id FROM batch JOIN batch AS earlier USING (source_id) WHERE batch.batch_id = ?)`,
      )
      .pluck()
      .all(batchId);
  }
}
