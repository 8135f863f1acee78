import type Database from 'better-sqlite3';
import { readMessage, type StoredReason } from '../../../contract/messages.ts';
import type { FileErrorRow, FileProblemKind } from '../../../core/ports/dataset-files.ts';
import type { SourceRow } from '../../../core/ports/dataset-sources.ts';
import type { StoreCounts } from '../../../core/ports/items.ts';

export interface VideoFileRow {
  file_path: string;
  location: string;
  size_bytes: number;
  mtime_ms: number;
  kind: SourceRow['kind'];
  root: string;
}

/** SQL condition for files that could not be read completely. */
export const HAS_PROBLEM = `problem_kind IS NOT NULL AND state <> 'missing'`;

/** Reports the import results of the files of one dataset. */
export class FileReportRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  listErrors(query: { kind: FileProblemKind | null; batch_id: string | null; offset: number; limit: number }): {
    file_errors: FileErrorRow[];
    total: number;
    by_kind: Record<string, number>;
  } {
    const groups = this.#db
      .prepare<Pick<typeof query, 'batch_id'>, { kind: string; n: number }>(
        `SELECT problem_kind AS kind, count(*) AS n FROM file
         WHERE ${HAS_PROBLEM} AND kind <> 'annotation' AND (:batch_id IS NULL OR batch_id = :batch_id)
         GROUP BY problem_kind ORDER BY n DESC, kind`,
      )
      .all({ batch_id: query.batch_id });
    const fileErrors = this.#db
      .prepare<typeof query, StoredReason<FileErrorRow>>(
        `SELECT file_path, problem_kind AS kind, problem_reason AS reason, size_bytes, batch_id FROM file
         WHERE ${HAS_PROBLEM} AND file.kind <> 'annotation' AND (:kind IS NULL OR problem_kind = :kind)
           AND (:batch_id IS NULL OR batch_id = :batch_id)
         ORDER BY file_path, file_id LIMIT :limit OFFSET :offset`,
      )
      .all(query)
      .map((row) => ({ ...row, reason: readMessage(row.reason) }));
    const total = groups.reduce(
      (sum, group) => sum + (query.kind === null || query.kind === group.kind ? group.n : 0),
      0,
    );
    return {
      file_errors: fileErrors,
      total,
      by_kind: Object.fromEntries(groups.map((group) => [group.kind, group.n])),
    };
  }

  counts(
    batchId?: string,
  ): Pick<StoreCounts, 'n_files' | 'n_pending' | 'n_file_errors' | 'n_videos' | 'n_missing' | 'n_annotation_files'> {
    const all = this.#db
      .prepare<{ batch_id: string | null }, { state: string; kind: string; n: number; n_problems: number }>(
        `SELECT state, CASE WHEN video_id IS NULL THEN kind ELSE 'frame' END AS kind, count(*) AS n,
           count(*) FILTER (WHERE ${HAS_PROBLEM}) AS n_problems FROM file
         WHERE :batch_id IS NULL OR batch_id = :batch_id GROUP BY 1, 2`,
      )
      .all({ batch_id: batchId ?? null });
    const rows = all.filter((row) => row.kind !== 'annotation');
    const sum = (chosen: typeof rows) => chosen.reduce((total, row) => total + row.n, 0);
    return {
      n_files: sum(rows.filter((row) => row.state !== 'missing')),
      n_pending: sum(rows.filter((row) => row.state === 'pending' || row.state === 'remote')),
      n_file_errors: rows.reduce((total, row) => total + row.n_problems, 0),
      n_videos: sum(rows.filter((row) => row.state === 'done' && row.kind === 'video')),
      n_annotation_files: sum(all.filter((row) => row.kind === 'annotation')),
      n_missing: sum(rows.filter((row) => row.state === 'missing' && row.kind !== 'frame')),
    };
  }

  findVideo(videoId: string): VideoFileRow | undefined {
    return this.#db
      .prepare<[string], VideoFileRow>(
        `SELECT file_path, location, size_bytes, mtime_ms, source.kind, root FROM video JOIN file USING (file_id)
         JOIN source USING (source_id) WHERE video.video_id = ?`,
      )
      .get(videoId);
  }
}
