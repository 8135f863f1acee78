import type Database from 'better-sqlite3';
import type { SourceRow, SourceSummary } from '../../../core/ports/dataset-sources.ts';

/** The folders and uploads that a dataset's files come from, as users list and change them. */
export class SourceRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  add(source: SourceRow): void {
    this.#db
      .prepare<SourceRow>(
        'INSERT INTO source VALUES (:source_id, :kind, :root) ON CONFLICT (source_id) DO UPDATE SET root = :root',
      )
      .run(source);
  }

  findFolder(root: string): string | undefined {
    return this.#db
      .prepare<[string], { source_id: string }>(`SELECT source_id FROM source WHERE kind = 'folder' AND root = ?`)
      .get(root)?.source_id;
  }

  list(): SourceSummary[] {
    return this.#db
      .prepare<[], SourceSummary>(
        `SELECT source_id, source.kind, root,
           (SELECT count(*) FROM file WHERE file.source_id = source.source_id AND state <> 'missing' AND video_id IS NULL
              AND file.kind <> 'annotation') AS n_files
         FROM source ORDER BY source.kind, root`,
      )
      .all();
  }

  countStoredBytes(): number {
    const [bytes = 0] = this.#db
      .prepare<[], number>(
        `SELECT total(size_bytes) FROM file WHERE state <> 'missing'
           AND source_id IN (SELECT source_id FROM source WHERE kind = 'stored')`,
      )
      .pluck()
      .all();
    return bytes;
  }

  /** Returns evenly spaced files in order of path, so that the sample covers all folders. */
  sample(sourceId: string, limit: number): string[] {
    return this.#db
      .prepare<{ source_id: string; limit: number }, string>(
        `SELECT location FROM (
           SELECT location, row_number() OVER (ORDER BY file_path) - 1 AS place, count(*) OVER () AS n FROM file
           WHERE source_id = :source_id AND state = 'done')
         WHERE place % max(1, n / :limit) = 0 LIMIT :limit`,
      )
      .pluck()
      .all({ source_id: sourceId, limit });
  }

  move(sourceId: string, root: string): void {
    this.#db.prepare<[string, string]>('UPDATE source SET root = ? WHERE source_id = ?').run(root, sourceId);
  }
}
