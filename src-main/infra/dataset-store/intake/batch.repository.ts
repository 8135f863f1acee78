import type Database from 'better-sqlite3';
import type { BatchRow, BatchSummary } from '../../../core/ports/dataset-sources.ts';
import { HAS_PROBLEM } from './file-report.repository.ts';

/** Batches of one dataset: files that were imported together. */
export class BatchRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  add(batch: BatchRow, createdAt: string): void {
    this.#db
      .prepare<BatchRow & { created_at: string }>(
        'INSERT INTO batch VALUES (:batch_id, :source_id, :kind, :created_at) ON CONFLICT (batch_id) DO NOTHING',
      )
      .run({ ...batch, created_at: createdAt });
  }

  list(): BatchSummary[] {
    return this.#db
      .prepare<[], BatchSummary>(
        `SELECT batch.batch_id, batch.source_id, batch.kind, created_at,
           count(file_id) FILTER (WHERE video_id IS NULL) AS n_files,
           count(file_id) FILTER (WHERE video_id IS NULL AND state = 'done') AS n_done,
           count(file_id) FILTER (WHERE ${HAS_PROBLEM}) AS n_failed
         FROM batch LEFT JOIN file ON file.batch_id = batch.batch_id AND file.kind <> 'annotation'
         WHERE EXISTS (SELECT 1 FROM file AS any_file WHERE any_file.batch_id = batch.batch_id)
         GROUP BY batch.batch_id ORDER BY batch.rowid DESC`,
      )
      .all();
  }

  /** Deletes a batch; its items must have been deleted. `keep_errors` keeps files that failed. Joins the caller's transaction. */
  delete(batchId: string, keepErrors: boolean): void {
    this.#db
      .prepare<[string]>('DELETE FROM video WHERE file_id IN (SELECT file_id FROM file WHERE batch_id = ?)')
      .run(batchId);
    const others = keepErrors ? `AND (state <> 'failed' OR kind = 'annotation')` : '';
    this.#db.prepare<[string]>(`DELETE FROM file WHERE batch_id = ? ${others}`).run(batchId);
    this.#db
      .prepare<{ batch_id: string }>(
        'DELETE FROM batch WHERE batch_id = :batch_id AND NOT EXISTS (SELECT 1 FROM file WHERE batch_id = :batch_id)',
      )
      .run({ batch_id: batchId });
  }
}
