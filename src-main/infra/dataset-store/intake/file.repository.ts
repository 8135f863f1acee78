import type Database from 'better-sqlite3';
import { type Message, storeMessage } from '../../../contract/messages.ts';
import type {
  FetchResult,
  FileCursor,
  FileProblemKind,
  NewFile,
  PendingFile,
  RemoteFile,
} from '../../../core/ports/dataset-files.ts';
import type { SourceRow } from '../../../core/ports/dataset-sources.ts';
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

/** SQLite uses a partial index only for statements that repeat its condition literally. */
const WAITING = `state IN ('remote', 'pending')`;

/** Files of one dataset during import: files to fetch and to read, and the results. */
export class FileRepository {
  readonly #db: Database.Database;
  readonly #dataFolder: string;
  // Statements that run once per item are prepared once.
  readonly #isPending: Database.Statement<[number]>;
  readonly #markDone: Database.Statement<{ file_id: number; size_bytes: number; mtime_ms: number }[]>;

  constructor(db: Database.Database, dataFolder: string) {
    this.#db = db;
    this.#dataFolder = dataFolder;
    this.#isPending = db.prepare(`SELECT 1 FROM file WHERE file_id = ? AND state = 'pending'`);
    this.#markDone = db.prepare(
      `UPDATE file SET state = 'done', size_bytes = :size_bytes, mtime_ms = :mtime_ms WHERE file_id = :file_id`,
    );
  }

  /**
   * Adds files that are new to the dataset's folders and returns their number. Failed files and annotation files that are found again move
   * to the batch and are read again: they may have changed, or refer to media that were added since. Failed files that were items before
   * are left to the watcher.
   */
  addFiles(batchId: string, files: readonly NewFile[]): number {
    const sourceId = this.#sourceOf(batchId);
    const insert = this.#insert(
      `ON CONFLICT (source_id, file_path) WHERE state <> 'missing' DO UPDATE SET batch_id = excluded.batch_id, state = excluded.state,
         location = excluded.location, size_bytes = excluded.size_bytes, mtime_ms = excluded.mtime_ms,
         problem_kind = excluded.problem_kind, problem_reason = excluded.problem_reason WHERE file.kind = 'annotation' OR (file.state = 'failed'
           AND NOT EXISTS (SELECT 1 FROM media WHERE media.file_id = file.file_id)
           AND NOT EXISTS (SELECT 1 FROM video WHERE video.file_id = file.file_id))`,
    );
    const isInOtherFolder = inOtherFolder(this.#db);
    const isFetchedAlready = this.#isFetchedAlready(batchId);
    return this.#db.transaction(() => {
      let added = 0;
      for (const file of files) {
        const newFile = parameters(sourceId, batchId, file);
        if (!isInOtherFolder(newFile) && !isFetchedAlready(file)) added += insert.run(newFile).changes;
      }
      return added;
    })();
  }

  /**
   * Adds uploads. The location identifies the content: the same path with the same location is a repeated request, the same path with
   * another location is another file and gets a numbered path.
   */
  addUploads(batchId: string, files: readonly NewFile[]): number {
    const sourceId = this.#sourceOf(batchId);
    const insert = this.#insert('');
    const find = this.#db.prepare<[string, string], { location: string }>(
      `SELECT location FROM file WHERE source_id = ? AND file_path = ? AND state <> 'missing'`,
    );
    return this.#db.transaction(() => {
      let added = 0;
      for (const file of files) {
        for (let copy = 1; ; copy += 1) {
          const filePath = copy === 1 ? file.file_path : numbered(file, copy);
          const known = find.get(sourceId, filePath);
          if (known?.location === file.location) break;
          if (known) continue;
          insert.run(parameters(sourceId, batchId, { ...file, file_path: filePath }));
          added += 1;
          break;
        }
      }
      return added;
    })();
  }

  /**
   * Returns a function that tells whether another batch already imported a remote file. Earlier failures of the file are deleted, so that
   * it is fetched again.
   */
  #isFetchedAlready(batchId: string): (file: NewFile) => boolean {
    const find = this.#db.prepare<{ origin: string; batch_id: string }, { file_id: number; state: string }>(
      `SELECT file_id, state FROM file WHERE origin = :origin AND origin IS NOT NULL AND batch_id <> :batch_id
         AND state <> 'missing' ORDER BY state = 'failed' LIMIT 1`,
    );
    const forget = this.#db.prepare<[number]>('DELETE FROM file WHERE file_id = ?');
    return ({ origin, kind }) => {
      if (origin === undefined || kind === 'annotation') return false;
      const known = find.get({ origin, batch_id: batchId });
      if (known?.state === 'failed') forget.run(known.file_id);
      return known !== undefined && known.state !== 'failed';
    };
  }

  knownPaths(batchId: string, filePaths: readonly string[]): string[] {
    return this.#db
      .prepare<[string, string], { file_path: string }>(
        'SELECT file_path FROM file WHERE batch_id = ? AND file_path IN (SELECT value FROM json_each(?))',
      )
      .all(batchId, JSON.stringify(filePaths))
      .map((row) => row.file_path);
  }

  listRemote(batchId: string, after: FileCursor, limit: number): RemoteFile[] {
    return this.#db
      .prepare<Cursor & { batch_id: string }, RemoteFile>(
        `SELECT file_id, file_path, origin, size_bytes FROM file
         WHERE batch_id = :batch_id AND state = 'remote' AND ${WAITING} AND (file_path, file_id) > (:file_path, :file_id)
         ORDER BY file_path, file_id LIMIT :limit`,
      )
      .all({ batch_id: batchId, ...cursor(after, limit) });
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

  listPending(batchId: string, kind: 'image' | 'video', after: FileCursor, limit: number): PendingFile[] {
    const rows = this.#db
      .prepare<Cursor & { batch_id: string; media_kind: string }, PendingRow>(
        `SELECT file_id, file_path, location, source.kind, root FROM file JOIN source USING (source_id)
         WHERE batch_id = :batch_id AND state = 'pending' AND ${WAITING} AND file.kind = :media_kind
           AND (file_path, file_id) > (:file_path, :file_id)
         ORDER BY file_path, file_id LIMIT :limit`,
      )
      .all({ batch_id: batchId, media_kind: kind, ...cursor(after, limit) });
    return rows.map((row) => ({
      file_id: row.file_id,
      file_path: row.file_path,
      path: resolveLocation(this.#dataFolder, row, row.location),
    }));
  }

  isPending(fileId: number): boolean {
    return this.#isPending.get(fileId) !== undefined;
  }

  markDone(fileId: number, sizeBytes: number, mtimeMs: number): void {
    this.#markDone.run({ file_id: fileId, size_bytes: sizeBytes, mtime_ms: mtimeMs });
  }

  markFailed(fileId: number, kind: FileProblemKind, reason: Message): void {
    this.#db
      .prepare<{ file_id: number; kind: string; reason: string }>(
        `UPDATE file SET state = 'failed', problem_kind = :kind, problem_reason = :reason
         WHERE file_id = :file_id AND state IN ('remote', 'pending')`,
      )
      .run({ file_id: fileId, kind, reason: storeMessage(reason) });
  }

  retryFailed(batchId: string): number {
    return this.#db
      .prepare<[string]>(
        `UPDATE file SET state = CASE WHEN origin IS NOT NULL AND location = '' THEN 'remote' ELSE 'pending' END,
           problem_kind = NULL, problem_reason = NULL
         WHERE batch_id = ? AND state = 'failed' AND problem_kind <> 'unsafe' AND (origin IS NOT NULL OR location <> '')`,
      )
      .run(batchId).changes;
  }

  batchOf(fileId: number): string | undefined {
    return this.#db.prepare<[number], { batch_id: string }>('SELECT batch_id FROM file WHERE file_id = ?').get(fileId)
      ?.batch_id;
  }

  #sourceOf(batchId: string): string {
    const row = this.#db
      .prepare<[string], { source_id: string }>('SELECT source_id FROM batch WHERE batch_id = ?')
      .get(batchId);
    if (!row) throw new Error(`no batch ${batchId}`);
    return row.source_id;
  }

  #insert(onConflict: string) {
    return this.#db.prepare<ReturnType<typeof parameters>>(
      `INSERT INTO file (source_id, batch_id, file_path, kind, origin, location, size_bytes, mtime_ms, video_id, frame_number, frame_timestamp,
         state, problem_kind, problem_reason)
       VALUES (:source_id, :batch_id, :file_path, :kind, :origin, :location, :size_bytes, :mtime_ms, :video_id, :frame_number,
         :frame_timestamp, :state, :problem_kind, :problem_reason) ${onConflict}`,
    );
  }
}

function cursor(after: FileCursor, limit: number): Cursor {
  return { file_path: after?.file_path ?? '', file_id: after?.file_id ?? -1, limit };
}

function parameters(sourceId: string, batchId: string, file: NewFile) {
  return {
    source_id: file.source_id ?? sourceId,
    batch_id: batchId,
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
    problem_reason: file.problem ? storeMessage(file.problem.reason) : null,
  };
}

/** Numbers a path: `a/b.jpg`, 2 → `a/b (2).jpg`. Annotation files are identified by their name, so they get a numbered folder instead. */
function numbered({ file_path, kind }: NewFile, copy: number): string {
  if (kind === 'annotation') return `(${copy})/${file_path}`;
  const slash = file_path.lastIndexOf('/');
  const dot = file_path.lastIndexOf('.');
  const at = dot > slash + 1 ? dot : file_path.length;
  return `${file_path.slice(0, at)} (${copy})${file_path.slice(at)}`;
}
