import type Database from 'better-sqlite3';
import type {
  BatchRow,
  FileErrorRow,
  FileProblemKind,
  NewFile,
  PendingFile,
  SourceRow,
} from '../../core/dataset-store.port.ts';
import { resolveLocation } from './locations.ts';

interface PendingRow {
  file_id: number;
  file_path: string;
  location: string;
  kind: SourceRow['kind'];
  root: string;
}

/** Sources, batches and files of one dataset: what there is to read, and what could not be read. */
export class FileRepository {
  readonly #db: Database.Database;
  readonly #data_folder: string;

  constructor(db: Database.Database, data_folder: string) {
    this.#db = db;
    this.#data_folder = data_folder;
  }

  addSource(source: SourceRow): void {
    this.#db
      .prepare<SourceRow>(
        'INSERT INTO source VALUES (:source_id, :kind, :root) ON CONFLICT (source_id) DO UPDATE SET root = :root',
      )
      .run(source);
  }

  addBatch(batch: BatchRow, created_at: string): void {
    this.#db
      .prepare<BatchRow & { created_at: string }>(
        'INSERT INTO batch VALUES (:batch_id, :source_id, :kind, :created_at) ON CONFLICT (batch_id) DO NOTHING',
      )
      .run({ ...batch, created_at });
  }

  /** Adds files whose path is new to their source; returns how many were. */
  addFiles(batch_id: string, files: readonly NewFile[]): number {
    const source_id = this.#sourceOf(batch_id);
    const insert = this.#insert('ON CONFLICT (source_id, file_path) DO NOTHING');
    return this.#db.transaction(() => {
      let added = 0;
      for (const file of files) added += insert.run(parameters(source_id, batch_id, file)).changes;
      return added;
    })();
  }

  /**
   * Adds uploads. The location names the content, so the same path with the same location is a request sent twice; the same path with
   * another location is another file and gets a numbered path.
   */
  addUploads(batch_id: string, files: readonly NewFile[]): number {
    const source_id = this.#sourceOf(batch_id);
    const insert = this.#insert('');
    const find = this.#db.prepare<[string, string], { location: string }>(
      'SELECT location FROM file WHERE source_id = ? AND file_path = ?',
    );
    return this.#db.transaction(() => {
      let added = 0;
      for (const file of files) {
        for (let copy = 1; ; copy += 1) {
          const file_path = copy === 1 ? file.file_path : numbered(file.file_path, copy);
          const known = find.get(source_id, file_path);
          if (known?.location === file.location) break;
          if (known) continue;
          insert.run(parameters(source_id, batch_id, { ...file, file_path }));
          added += 1;
          break;
        }
      }
      return added;
    })();
  }

  listPending(after: { file_path: string; file_id: number } | null, limit: number): PendingFile[] {
    const rows = this.#db
      .prepare<{ file_path: string; file_id: number; limit: number }, PendingRow>(
        `SELECT file_id, file_path, location, kind, root FROM file JOIN source USING (source_id)
         WHERE state = 'pending' AND (file_path, file_id) > (:file_path, :file_id)
         ORDER BY file_path, file_id LIMIT :limit`,
      )
      .all({ file_path: after?.file_path ?? '', file_id: after?.file_id ?? -1, limit });
    return rows.map((row) => ({
      file_id: row.file_id,
      file_path: row.file_path,
      path: resolveLocation(this.#data_folder, row, row.location),
    }));
  }

  isPending(file_id: number): boolean {
    return (
      this.#db.prepare<[number]>(`SELECT 1 FROM file WHERE file_id = ? AND state = 'pending'`).get(file_id) !==
      undefined
    );
  }

  markDone(file_id: number, size_bytes: number, mtime_ms: number): void {
    this.#db
      .prepare<{ file_id: number; size_bytes: number; mtime_ms: number }>(
        `UPDATE file SET state = 'done', size_bytes = :size_bytes, mtime_ms = :mtime_ms WHERE file_id = :file_id`,
      )
      .run({ file_id, size_bytes, mtime_ms });
  }

  markFailed(file_id: number, kind: FileProblemKind, reason: string): void {
    this.#db
      .prepare<{ file_id: number; kind: string; reason: string }>(
        `UPDATE file SET state = 'failed', problem_kind = :kind, problem_reason = :reason WHERE file_id = :file_id AND state = 'pending'`,
      )
      .run({ file_id, kind, reason });
  }

  retryFailed(): number {
    return this.#db
      .prepare(
        `UPDATE file SET state = 'pending', problem_kind = NULL, problem_reason = NULL WHERE state = 'failed' AND problem_kind <> 'unsafe'`,
      )
      .run().changes;
  }

  listErrors(query: { kind: FileProblemKind | null; offset: number; limit: number }): {
    file_errors: FileErrorRow[];
    total: number;
    by_kind: Record<string, number>;
  } {
    const groups = this.#db
      .prepare<[], { kind: string; n: number }>(
        `SELECT problem_kind AS kind, count(*) AS n FROM file WHERE state = 'failed' GROUP BY problem_kind ORDER BY n DESC, kind`,
      )
      .all();
    const file_errors = this.#db
      .prepare<typeof query, FileErrorRow>(
        `SELECT file_path, problem_kind AS kind, problem_reason AS reason, size_bytes, batch_id FROM file
         WHERE state = 'failed' AND (:kind IS NULL OR problem_kind = :kind)
         ORDER BY file_path, file_id LIMIT :limit OFFSET :offset`,
      )
      .all(query);
    const total = groups.reduce(
      (sum, group) => sum + (query.kind === null || query.kind === group.kind ? group.n : 0),
      0,
    );
    return { file_errors, total, by_kind: Object.fromEntries(groups.map((group) => [group.kind, group.n])) };
  }

  counts(): { n_files: number; n_pending: number; n_file_errors: number } {
    const rows = this.#db
      .prepare<[], { state: string; n: number }>('SELECT state, count(*) AS n FROM file GROUP BY state')
      .all();
    const of = (state: string) => rows.find((row) => row.state === state)?.n ?? 0;
    return {
      n_files: of('pending') + of('done') + of('failed'),
      n_pending: of('pending'),
      n_file_errors: of('failed'),
    };
  }

  #sourceOf(batch_id: string): string {
    const row = this.#db
      .prepare<[string], { source_id: string }>('SELECT source_id FROM batch WHERE batch_id = ?')
      .get(batch_id);
    if (!row) throw new Error(`no batch ${batch_id}`);
    return row.source_id;
  }

  #insert(on_conflict: string) {
    return this.#db.prepare<ReturnType<typeof parameters>>(
      `INSERT INTO file (source_id, batch_id, file_path, location, size_bytes, mtime_ms, state, problem_kind, problem_reason)
       VALUES (:source_id, :batch_id, :file_path, :location, :size_bytes, :mtime_ms, :state, :problem_kind, :problem_reason) ${on_conflict}`,
    );
  }
}

function parameters(source_id: string, batch_id: string, file: NewFile) {
  return {
    source_id,
    batch_id,
    file_path: file.file_path,
    location: file.location,
    size_bytes: file.size_bytes,
    mtime_ms: file.mtime_ms,
    state: file.problem ? 'failed' : 'pending',
    problem_kind: file.problem?.kind ?? null,
    problem_reason: file.problem?.reason ?? null,
  };
}

/** `a/b.jpg`, 2 → `a/b (2).jpg`. */
function numbered(file_path: string, copy: number): string {
  const slash = file_path.lastIndexOf('/');
  const dot = file_path.lastIndexOf('.');
  const at = dot > slash + 1 ? dot : file_path.length;
  return `${file_path.slice(0, at)} (${copy})${file_path.slice(at)}`;
}
