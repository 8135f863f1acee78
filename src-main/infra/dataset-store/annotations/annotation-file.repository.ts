import type Database from 'better-sqlite3';
import type { SourceRow } from '../../../core/ports/dataset-sources.ts';
import type { AnnotationProblemRepository } from './annotation-problem.repository.ts';

/** The file that an annotation refers to, and its item if it became one. */
export interface AnnotatedFile {
  batch_id: string;
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

/** Annotation files of one dataset, their read state, and the media that they refer to. */
export class AnnotationFileRepository {
  readonly #db: Database.Database;
  readonly #problems: AnnotationProblemRepository;
  /** Runs for every file that annotations name, so it is prepared once. */
  readonly #findMedia: Database.Statement<[string, string], AnnotatedFile>;

  constructor(db: Database.Database, problems: AnnotationProblemRepository) {
    this.#db = db;
    this.#problems = problems;
    this.#findMedia = db.prepare(
      `SELECT file.batch_id, kind, state, problem_reason, row, media_id, media.width, media.height FROM file LEFT JOIN media USING (file_id)
       WHERE file_path = ? AND kind <> 'annotation' ORDER BY state = 'missing', batch_id = ? DESC, media_id IS NULL, file_id DESC LIMIT 1`,
    );
  }

  /** Whether annotation files of a batch still have to be read. */
  isWaiting(batchId: string): boolean {
    return (
      this.#db
        .prepare<[string]>(
          `SELECT 1 FROM file WHERE batch_id = ? AND kind = 'annotation' AND state = 'pending' LIMIT 1`,
        )
        .get(batchId) !== undefined
    );
  }

  /** Lists all annotation files of a batch whose bytes are available. */
  list(batchId: string): AnnotationFileRow[] {
    return this.#db
      .prepare<[string], AnnotationFileRow>(
        `SELECT file_path, location, source.kind, root FROM file JOIN source USING (source_id)
         WHERE batch_id = ? AND file.kind = 'annotation' AND state IN ('pending', 'done') ORDER BY file_path`,
      )
      .all(batchId);
  }

  /** Lists the annotation files of the batch's folder, and whether each still has to be read. */
  listOfFolder(batchId: string): { file_path: string; is_pending: number }[] {
    return this.#db
      .prepare<[string], { file_path: string; is_pending: number }>(
        `SELECT file_path, state = 'pending' AS is_pending FROM file WHERE kind = 'annotation' AND state <> 'missing'
           AND source_id = (SELECT source_id FROM batch WHERE batch_id = ?)`,
      )
      .all(batchId);
  }

  /** Lists the paths of all media of the batch's source, also of those that came earlier. */
  listMediaOfSource(batchId: string): string[] {
    return this.#db
      .prepare<[string], string>(
        `SELECT file_path FROM file WHERE source_id = (SELECT source_id FROM batch WHERE batch_id = ?)
         AND kind <> 'annotation' AND state = 'done' AND video_id IS NULL`,
      )
      .pluck()
      .all(batchId);
  }

  /** Lists the paths of the media imported with the batch. */
  listMediaOfBatch(batchId: string): string[] {
    return this.#db
      .prepare<[string], string>(
        `SELECT file_path FROM file WHERE batch_id = ? AND kind <> 'annotation' AND state = 'done' AND video_id IS NULL`,
      )
      .pluck()
      .all(batchId);
  }

  /** Lists the paths of all media of the dataset. */
  mediaPaths(): string[] {
    return this.#db.prepare<[], string>(`SELECT DISTINCT file_path FROM file WHERE kind <> 'annotation'`).pluck().all();
  }

  /** Returns the file at a path. If several batches have one, returns the given batch's file, else the latest readable one. */
  findMedia(filePath: string, batchId: string): AnnotatedFile | undefined {
    return this.#findMedia.get(filePath, batchId);
  }

  /** Moves annotation files of the batch's folder to the batch, to be read again. */
  readAgain(batchId: string, filePaths: readonly string[]): void {
    this.#db
      .prepare<{ batch_id: string; file_paths: string }>(
        `UPDATE file SET state = 'pending', batch_id = :batch_id, problem_kind = NULL, problem_reason = NULL
         WHERE kind = 'annotation' AND state <> 'missing' AND source_id = (SELECT source_id FROM batch WHERE batch_id = :batch_id)
           AND file_path IN (SELECT value FROM json_each(:file_paths))`,
      )
      .run({ batch_id: batchId, file_paths: JSON.stringify(filePaths) });
  }

  /**
   * Marks the pending annotation files as read; files that could not be fetched are recorded as problems. Joins the caller's transaction.
   */
  finish(batchId: string): void {
    this.#problems.deletePrevious(batchId);
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
}
