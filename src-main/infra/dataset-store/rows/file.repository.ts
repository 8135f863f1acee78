import type Database from 'better-sqlite3';
import type {
  BatchRow,
  BatchSummary,
  FetchResult,
  FileCursor,
  FileErrorRow,
  FileProblemKind,
  NewFile,
  NewVideo,
  PendingFile,
  RemoteFile,
  SourceRow,
  StoreCounts,
} from '../../../core/ports/dataset-store.ts';
import { resolveLocation } from '../disk/locations.ts';
import { inOtherFolder } from '../disk/other-folder.ts';

interface PendingRow {
  file_id: number;
  file_path: string;
  location: string;
  kind: SourceRow['kind'];
  root: string;
}

interface Cursor {
  file_path: string;
  file_id: number;
  limit: number;
}

export interface VideoFileRow {
  file_path: string;
  location: string;
  size_bytes: number;
  mtime_ms: number;
  kind: SourceRow['kind'];
  root: string;
}

/** SQLite reads a partial index only for statements that repeat its condition to the letter. */
const WAITING = `state IN ('remote', 'pending')`;

/** Sources, batches and files of one dataset: what there is to read, and what could not be read. */
export class FileRepository {
  readonly #db: Database.Database;
  readonly #data_folder: string;
  // Run once an item, so they are prepared only once.
  readonly #is_pending: Database.Statement<[number]>;
  readonly #mark_done: Database.Statement<{ file_id: number; size_bytes: number; mtime_ms: number }[]>;

  constructor(db: Database.Database, data_folder: string) {
    this.#db = db;
    this.#data_folder = data_folder;
    this.#is_pending = db.prepare(`SELECT 1 FROM file WHERE file_id = ? AND state = 'pending'`);
    this.#mark_done = db.prepare(
      `UPDATE file SET state = 'done', size_bytes = :size_bytes, mtime_ms = :mtime_ms WHERE file_id = :file_id`,
    );
  }

  addSource(source: SourceRow): void {
    this.#db
      .prepare<SourceRow>(
        'INSERT INTO source VALUES (:source_id, :kind, :root) ON CONFLICT (source_id) DO UPDATE SET root = :root',
      )
      .run(source);
  }

  findFolderSource(root: string): string | undefined {
    return this.#db
      .prepare<[string], { source_id: string }>(`SELECT source_id FROM source WHERE kind = 'folder' AND root = ?`)
      .get(root)?.source_id;
  }

  addBatch(batch: BatchRow, created_at: string): void {
    this.#db
      .prepare<BatchRow & { created_at: string }>(
        'INSERT INTO batch VALUES (:batch_id, :source_id, :kind, :created_at) ON CONFLICT (batch_id) DO NOTHING',
      )
      .run({ ...batch, created_at });
  }

  /**
   * Adds files that are new to the dataset's folders; returns how many were. Files that failed and annotation files go over to the batch when
   * they are found again, and are read again: they may have changed, or be of media that are only now there. What failed but was an item before is left to the watch.
   */
  addFiles(batch_id: string, files: readonly NewFile[]): number {
    const source_id = this.#sourceOf(batch_id);
    const insert = this.#insert(
      `ON CONFLICT (source_id, file_path) WHERE state <> 'missing' DO UPDATE SET batch_id = excluded.batch_id, state = excluded.state,
         location = excluded.location, size_bytes = excluded.size_bytes, mtime_ms = excluded.mtime_ms,
         problem_kind = excluded.problem_kind, problem_reason = excluded.problem_reason WHERE file.kind = 'annotation' OR (file.state = 'failed'
           AND NOT EXISTS (SELECT 1 FROM media WHERE media.file_id = file.file_id)
           AND NOT EXISTS (SELECT 1 FROM video WHERE video.file_id = file.file_id))`,
    );
    const isInOtherFolder = inOtherFolder(this.#db);
    return this.#db.transaction(() => {
      let added = 0;
      for (const file of files) {
        const new_file = parameters(source_id, batch_id, file);
        if (!isInOtherFolder(new_file)) added += insert.run(new_file).changes;
      }
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
      `SELECT location FROM file WHERE source_id = ? AND file_path = ? AND state <> 'missing'`,
    );
    return this.#db.transaction(() => {
      let added = 0;
      for (const file of files) {
        for (let copy = 1; ; copy += 1) {
          const file_path = copy === 1 ? file.file_path : numbered(file, copy);
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

  knownPaths(batch_id: string, file_paths: readonly string[]): string[] {
    return this.#db
      .prepare<[string, string], { file_path: string }>(
        'SELECT file_path FROM file WHERE batch_id = ? AND file_path IN (SELECT value FROM json_each(?))',
      )
      .all(batch_id, JSON.stringify(file_paths))
      .map((row) => row.file_path);
  }

  listRemote(batch_id: string, after: FileCursor, limit: number): RemoteFile[] {
    return this.#db
      .prepare<Cursor & { batch_id: string }, RemoteFile>(
        `SELECT file_id, file_path, origin, size_bytes FROM file
         WHERE batch_id = :batch_id AND state = 'remote' AND ${WAITING} AND (file_path, file_id) > (:file_path, :file_id)
         ORDER BY file_path, file_id LIMIT :limit`,
      )
      .all({ batch_id, ...cursor(after, limit) });
  }

  saveFetched(results: readonly FetchResult[]): void {
    const save = this.#db.prepare<{ file_id: number; location: string; size_bytes: number; mtime_ms: number }>(
      `UPDATE file SET state = 'pending', location = :location, size_bytes = :size_bytes, mtime_ms = :mtime_ms
       WHERE file_id = :file_id AND state = 'remote'`,
    );
    this.#db.transaction(() => {
      for (const result of results) {
        if (!result.ok) this.markFailed(result.file_id, result.kind, result.reason);
        else {
          const { file_id, location, size_bytes, mtime_ms } = result;
          save.run({ file_id, location, size_bytes, mtime_ms });
        }
      }
    })();
  }

  listPending(batch_id: string, kind: 'image' | 'video', after: FileCursor, limit: number): PendingFile[] {
    const rows = this.#db
      .prepare<Cursor & { batch_id: string; media_kind: string }, PendingRow>(
        `SELECT file_id, file_path, location, source.kind, root FROM file JOIN source USING (source_id)
         WHERE batch_id = :batch_id AND state = 'pending' AND ${WAITING} AND file.kind = :media_kind
           AND (file_path, file_id) > (:file_path, :file_id)
         ORDER BY file_path, file_id LIMIT :limit`,
      )
      .all({ batch_id, media_kind: kind, ...cursor(after, limit) });
    return rows.map((row) => ({
      file_id: row.file_id,
      file_path: row.file_path,
      path: resolveLocation(this.#data_folder, row, row.location),
    }));
  }

  isPending(file_id: number): boolean {
    return this.#is_pending.get(file_id) !== undefined;
  }

  markDone(file_id: number, size_bytes: number, mtime_ms: number): void {
    this.#mark_done.run({ file_id, size_bytes, mtime_ms });
  }

  markFailed(file_id: number, kind: FileProblemKind, reason: string): void {
    this.#db
      .prepare<{ file_id: number; kind: string; reason: string }>(
        `UPDATE file SET state = 'failed', problem_kind = :kind, problem_reason = :reason
         WHERE file_id = :file_id AND state IN ('remote', 'pending')`,
      )
      .run({ file_id, kind, reason });
  }

  retryFailed(batch_id: string): number {
    return this.#db
      .prepare<[string]>(
        `UPDATE file SET state = CASE WHEN origin IS NOT NULL AND location = '' THEN 'remote' ELSE 'pending' END,
           problem_kind = NULL, problem_reason = NULL
         WHERE batch_id = ? AND state = 'failed' AND problem_kind <> 'unsafe' AND (origin IS NOT NULL OR location <> '')`,
      )
      .run(batch_id).changes;
  }

  saveVideo(video: NewVideo): void {
    this.#db
      .prepare<NewVideo>(
        `INSERT INTO video VALUES (:video_id, :file_id, :width, :height, :duration_s, :frames_per_second, :codec, :poster_timestamp)
         ON CONFLICT (video_id) DO UPDATE SET width = :width, height = :height, duration_s = :duration_s,
           frames_per_second = :frames_per_second, codec = :codec, poster_timestamp = :poster_timestamp`,
      )
      .run(video);
    this.#db.prepare<[number]>(`UPDATE file SET state = 'done' WHERE file_id = ?`).run(video.file_id);
  }

  /** The video that a file is already. */
  findVideoOf(file_id: number): string | undefined {
    return this.#db.prepare<[number], string>('SELECT video_id FROM video WHERE file_id = ?').pluck().get(file_id);
  }

  /** Gives a video's frames new content by their numbers; those without any are missing. Joins the caller's transaction. */
  replaceFrames(batch_id: string, video_id: string, frames: readonly NewFile[]): void {
    this.#db.prepare<[string]>(`UPDATE file SET state = 'missing' WHERE video_id = ?`).run(video_id);
    const replace = this.#db.prepare<Record<string, string | number | null>>(
      `UPDATE file SET batch_id = :batch_id, source_id = :source_id, file_path = :file_path, location = :location,
         size_bytes = :size_bytes, mtime_ms = :mtime_ms, frame_timestamp = :frame_timestamp, state = 'pending', problem_kind = NULL,
         problem_reason = NULL
       WHERE video_id = :video_id AND frame_number = :frame_number`,
    );
    const added = frames.filter((file) => {
      const { source_id = batch_id, file_path, location, size_bytes, mtime_ms, frame } = file;
      if (!frame) return true;
      const { frame_number, frame_timestamp } = frame;
      const place = { source_id, file_path, location, size_bytes, mtime_ms };
      return replace.run({ batch_id, video_id, frame_number, frame_timestamp, ...place }).changes === 0;
    });
    this.addFiles(
      batch_id,
      added.map((file) => (file.frame ? { ...file, frame: { ...file.frame, video_id } } : file)),
    );
  }

  /** Frames of a video that cannot be read. Joins the caller's transaction. */
  missFrames(file_id: number): void {
    this.#db
      .prepare<[number]>(
        `UPDATE file SET state = 'missing' WHERE state = 'done' AND video_id = (SELECT video_id FROM video WHERE file_id = ?)`,
      )
      .run(file_id);
  }

  batchOf(file_id: number): string | undefined {
    return this.#db.prepare<[number], { batch_id: string }>('SELECT batch_id FROM file WHERE file_id = ?').get(file_id)
      ?.batch_id;
  }

  findVideoFile(video_id: string): VideoFileRow | undefined {
    return this.#db
      .prepare<[string], VideoFileRow>(
        `SELECT file_path, location, size_bytes, mtime_ms, source.kind, root FROM video JOIN file USING (file_id)
         JOIN source USING (source_id) WHERE video.video_id = ?`,
      )
      .get(video_id);
  }

  listBatches(): BatchSummary[] {
    return this.#db
      .prepare<[], BatchSummary>(
        `SELECT batch.batch_id, batch.source_id, batch.kind, created_at,
           count(file_id) FILTER (WHERE video_id IS NULL) AS n_files,
           count(file_id) FILTER (WHERE video_id IS NULL AND state = 'done') AS n_done,
           count(file_id) FILTER (WHERE state = 'failed') AS n_failed
         FROM batch LEFT JOIN file ON file.batch_id = batch.batch_id AND file.kind <> 'annotation'
         WHERE EXISTS (SELECT 1 FROM file AS any_file WHERE any_file.batch_id = batch.batch_id)
         GROUP BY batch.batch_id ORDER BY created_at DESC, batch.rowid DESC`,
      )
      .all();
  }

  /** Joins the caller's transaction; the items of the batch must be gone. `keep_errors` leaves files that failed. */
  deleteBatch(batch_id: string, keep_errors: boolean): void {
    this.#db
      .prepare<[string]>('DELETE FROM video WHERE file_id IN (SELECT file_id FROM file WHERE batch_id = ?)')
      .run(batch_id);
    const others = keep_errors ? `AND (state <> 'failed' OR kind = 'annotation')` : '';
    this.#db.prepare<[string]>(`DELETE FROM file WHERE batch_id = ? ${others}`).run(batch_id);
    this.#db
      .prepare<{ batch_id: string }>(
        'DELETE FROM batch WHERE batch_id = :batch_id AND NOT EXISTS (SELECT 1 FROM file WHERE batch_id = :batch_id)',
      )
      .run({ batch_id });
  }

  listErrors(query: { kind: FileProblemKind | null; batch_id: string | null; offset: number; limit: number }): {
    file_errors: FileErrorRow[];
    total: number;
    by_kind: Record<string, number>;
  } {
    const groups = this.#db
      .prepare<Pick<typeof query, 'batch_id'>, { kind: string; n: number }>(
        `SELECT problem_kind AS kind, count(*) AS n FROM file
         WHERE state = 'failed' AND kind <> 'annotation' AND (:batch_id IS NULL OR batch_id = :batch_id)
         GROUP BY problem_kind ORDER BY n DESC, kind`,
      )
      .all({ batch_id: query.batch_id });
    const file_errors = this.#db
      .prepare<typeof query, FileErrorRow>(
        `SELECT file_path, problem_kind AS kind, problem_reason AS reason, size_bytes, batch_id FROM file
         WHERE state = 'failed' AND file.kind <> 'annotation' AND (:kind IS NULL OR problem_kind = :kind)
           AND (:batch_id IS NULL OR batch_id = :batch_id)
         ORDER BY file_path, file_id LIMIT :limit OFFSET :offset`,
      )
      .all(query);
    const total = groups.reduce(
      (sum, group) => sum + (query.kind === null || query.kind === group.kind ? group.n : 0),
      0,
    );
    return { file_errors, total, by_kind: Object.fromEntries(groups.map((group) => [group.kind, group.n])) };
  }

  counts(
    batch_id?: string,
  ): Pick<StoreCounts, 'n_files' | 'n_pending' | 'n_file_errors' | 'n_videos' | 'n_missing' | 'n_annotation_files'> {
    const all = this.#db
      .prepare<{ batch_id: string | null }, { state: string; kind: string; n: number }>(
        `SELECT state, CASE WHEN video_id IS NULL THEN kind ELSE 'frame' END AS kind, count(*) AS n FROM file
         WHERE :batch_id IS NULL OR batch_id = :batch_id GROUP BY 1, 2`,
      )
      .all({ batch_id: batch_id ?? null });
    const rows = all.filter((row) => row.kind !== 'annotation');
    const sum = (chosen: typeof rows) => chosen.reduce((total, row) => total + row.n, 0);
    return {
      n_files: sum(rows.filter((row) => row.state !== 'missing')),
      n_pending: sum(rows.filter((row) => row.state === 'pending' || row.state === 'remote')),
      n_file_errors: sum(rows.filter((row) => row.state === 'failed')),
      n_videos: sum(rows.filter((row) => row.state === 'done' && row.kind === 'video')),
      n_annotation_files: sum(all.filter((row) => row.kind === 'annotation')),
      n_missing: sum(rows.filter((row) => row.state === 'missing' && row.kind !== 'frame')),
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
      `INSERT INTO file (source_id, batch_id, file_path, kind, origin, location, size_bytes, mtime_ms, video_id, frame_number, frame_timestamp,
         state, problem_kind, problem_reason)
       VALUES (:source_id, :batch_id, :file_path, :kind, :origin, :location, :size_bytes, :mtime_ms, :video_id, :frame_number,
         :frame_timestamp, :state, :problem_kind, :problem_reason) ${on_conflict}`,
    );
  }
}

function cursor(after: FileCursor, limit: number): Cursor {
  return { file_path: after?.file_path ?? '', file_id: after?.file_id ?? -1, limit };
}

function parameters(source_id: string, batch_id: string, file: NewFile) {
  return {
    source_id: file.source_id ?? source_id,
    batch_id,
    file_path: file.file_path,
    kind: file.kind,
    origin: file.origin ?? null,
    location: file.location,
    size_bytes: file.size_bytes,
    mtime_ms: file.mtime_ms,
    video_id: file.frame?.video_id ?? null,
    frame_number: file.frame?.frame_number ?? null,
    frame_timestamp: file.frame?.frame_timestamp ?? null,
    state: file.problem ? 'failed' : file.origin !== undefined && file.location === '' ? 'remote' : 'pending',
    problem_kind: file.problem?.kind ?? null,
    problem_reason: file.problem?.reason ?? null,
  };
}

/** `a/b.jpg`, 2 → `a/b (2).jpg`; annotations are known by their name and get a folder. */
function numbered({ file_path, kind }: NewFile, copy: number): string {
  if (kind === 'annotation') return `(${copy})/${file_path}`;
  const slash = file_path.lastIndexOf('/');
  const dot = file_path.lastIndexOf('.');
  const at = dot > slash + 1 ? dot : file_path.length;
  return `${file_path.slice(0, at)} (${copy})${file_path.slice(at)}`;
}
