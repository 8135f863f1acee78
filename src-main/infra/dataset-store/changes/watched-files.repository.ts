import { accessSync, constants, existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { type Message, storeMessage } from '../../../contract/messages.ts';
import type { SeenFile } from '../../../core/ports/changes.ts';
import type { FileProblemKind } from '../../../core/ports/dataset-files.ts';
import type { SourceRow } from '../../../core/ports/dataset-sources.ts';
import { resolveLocation } from '../disk/locations.ts';

/** A file recorded at a path, with its item. */
export interface FileAtPlace {
  file_id: number;
  kind: 'image' | 'video' | 'annotation';
  state: string;
  problem_kind: string | null;
  size_bytes: number;
  mtime_ms: number;
  /** Null for videos and for files that could not be read. */
  media_id: string | null;
  content_hash: string | null;
  video_id: string | null;
}

/** A path in a folder, and the file currently at it. */
export interface Place extends SeenFile {
  batch_id: string;
  source_id: string;
}

interface SameContent {
  file_id: number;
  state: string;
  source_id: string;
  file_path: string;
  location: string;
  kind: SourceRow['kind'];
  root: string;
  is_removed: number;
}

/** `:batch_id` selects files that the batch reports as removed. */
const SAME_CONTENT = `SELECT file.file_id, file.state, file.source_id, file.file_path, file.location, source.kind, source.root,
    EXISTS (SELECT 1 FROM change WHERE change.source_id = file.source_id AND change.file_path = file.file_path
      AND change.kind = 'removed' AND change.batch_id = :batch_id) AS is_removed
  FROM file JOIN source USING (source_id)`;

/** Files of watched folders: finds the files recorded at paths, and records that a file was moved, replaced or is missing. */
export class WatchedFilesRepository {
  readonly #db: Database.Database;
  readonly #dataFolder: string;

  constructor(db: Database.Database, dataFolder: string) {
    this.#db = db;
    this.#dataFolder = dataFolder;
  }

  /**
   * Lists known files. A file that could not be opened counts as changed: the cause may have been a missing permission or a disconnected
   * drive.
   */
  listKnown(sourceId: string, after: string, limit: number): SeenFile[] {
    return this.#db
      .prepare<[string, string, number], SeenFile>(
        `SELECT file_path, size_bytes, iif(state = 'failed' AND problem_kind = 'unreadable', -1, mtime_ms) AS mtime_ms FROM file
         WHERE source_id = ? AND file_path > ? AND state <> 'missing' AND video_id IS NULL
         ORDER BY file_path LIMIT ?`,
      )
      .all(sourceId, after, limit);
  }

  /** Returns the file recorded at a path. */
  findAt(sourceId: string, filePath: string): FileAtPlace | undefined {
    return this.#db
      .prepare<[string, string], FileAtPlace>(
        `SELECT file.file_id, kind, state, problem_kind, size_bytes, mtime_ms, media_id, content_hash, video.video_id
         FROM file LEFT JOIN media USING (file_id) LEFT JOIN video USING (file_id)
         WHERE source_id = ? AND file_path = ? AND state <> 'missing'`,
      )
      .get(sourceId, filePath);
  }

  /** Finds an image with this content that is no longer at its path: missing, removed by this batch, or deleted without a report yet. */
  findVanishedImage(place: Place, contentHash: string): number | undefined {
    const candidates = this.#db
      .prepare<{ batch_id: string; content_hash: string }, SameContent>(
        `${SAME_CONTENT} JOIN media USING (file_id) WHERE media.content_hash = :content_hash AND media_type = 'image' AND source.kind = 'folder'`,
      )
      .all({ batch_id: place.batch_id, content_hash: contentHash });
    return this.#vanished(place, candidates);
  }

  /** Finds a video that is no longer at its path, identified by its size and modification time. */
  findVanishedVideo(place: Place): number | undefined {
    const candidates = this.#db
      .prepare<{ batch_id: string; size_bytes: number; mtime_ms: number }, SameContent>(
        `${SAME_CONTENT} JOIN video USING (file_id) WHERE size_bytes = :size_bytes AND abs(mtime_ms - :mtime_ms) < 1 AND source.kind = 'folder'`,
      )
      .all({ batch_id: place.batch_id, size_bytes: place.size_bytes, mtime_ms: place.mtime_ms });
    return this.#vanished(place, candidates);
  }

  /** Records a file at a path that no other file has. */
  moveTo(place: Place, fileId: number): void {
    const { source_id, file_path, size_bytes, mtime_ms } = place;
    this.#db
      .prepare<Record<string, string | number>>(
        `UPDATE file SET source_id = :source_id, file_path = :file_path, location = :file_path, size_bytes = :size_bytes,
           mtime_ms = :mtime_ms, state = 'done', problem_kind = NULL, problem_reason = NULL WHERE file_id = :file_id`,
      )
      .run({ file_id: fileId, source_id, file_path, size_bytes, mtime_ms });
    // Frame files are in the data folder; only their displayed paths follow the video. Frames from the last reading have the same batch as
    // the video; other frames are of previous content.
    this.#db
      .prepare<{ file_id: number; file_path: string }>(
        `UPDATE file SET
           state = iif(state = 'missing' AND batch_id = (SELECT video.batch_id FROM file AS video WHERE video.file_id = :file_id), 'done', state),
           file_path = :file_path || '/' || replace(file_path, rtrim(file_path, replace(file_path, '/', '')), '')
         WHERE video_id = (SELECT video_id FROM video WHERE file_id = :file_id)`,
      )
      .run({ file_id: fileId, file_path });
  }

  markDone(fileId: number, seen: Pick<SeenFile, 'size_bytes' | 'mtime_ms'>): void {
    this.#db
      .prepare<Record<string, number>>(
        `UPDATE file SET state = 'done', problem_kind = NULL, problem_reason = NULL, size_bytes = :size_bytes, mtime_ms = :mtime_ms
         WHERE file_id = :file_id`,
      )
      .run({ file_id: fileId, size_bytes: seen.size_bytes, mtime_ms: seen.mtime_ms });
  }

  markFailed(fileId: number, place: Place, problem: { kind: FileProblemKind; reason: Message }): void {
    this.#db
      .prepare<Record<string, string | number>>(
        `UPDATE file SET state = 'failed', problem_kind = :kind, problem_reason = :reason, size_bytes = :size_bytes, mtime_ms = :mtime_ms
         WHERE file_id = :file_id`,
      )
      .run({
        file_id: fileId,
        kind: problem.kind,
        reason: storeMessage(problem.reason),
        size_bytes: place.size_bytes,
        mtime_ms: place.mtime_ms,
      });
  }

  /** Marks a file, and the frames of a video, as missing. Their data is kept. */
  markMissing(fileId: number): void {
    this.#db
      .prepare<{ file_id: number }>(
        `UPDATE file SET state = 'missing' WHERE state = 'done' AND video_id = (SELECT video_id FROM video WHERE file_id = :file_id)`,
      )
      .run({ file_id: fileId });
    this.#db
      .prepare<[number]>(
        `UPDATE file SET state = 'missing', problem_kind = NULL, problem_reason = NULL WHERE file_id = ?`,
      )
      .run(fileId);
  }

  /** Moves a file recorded at a path to the batch, to be read again. Its item is unchanged until then. */
  readAgain(fileId: number, place: Place): void {
    this.#db
      .prepare<Record<string, string | number>>(
        `UPDATE file SET state = 'pending', batch_id = :batch_id, size_bytes = :size_bytes, mtime_ms = :mtime_ms, problem_kind = NULL,
           problem_reason = NULL WHERE file_id = :file_id`,
      )
      .run({ file_id: fileId, batch_id: place.batch_id, size_bytes: place.size_bytes, mtime_ms: place.mtime_ms });
  }

  /** Whether a file that could not be opened before can be opened now. */
  isOpenable({ source_id, file_path }: Pick<Place, 'source_id' | 'file_path'>): boolean {
    const root = this.#db
      .prepare<[string], string>(`SELECT root FROM source WHERE source_id = ? AND kind = 'folder'`)
      .pluck()
      .get(source_id);
    if (root === undefined) return false;
    try {
      accessSync(resolveLocation(this.#dataFolder, { kind: 'folder', root }, file_path), constants.R_OK);
      return true;
    } catch {
      return false;
    }
  }

  /** Deletes a file that never had an item. */
  delete(fileId: number): void {
    this.#db.prepare<[number]>('DELETE FROM file WHERE file_id = ?').run(fileId);
  }

  /** Adds a file to the batch. */
  insert(place: Place, kind: FileAtPlace['kind'], state: 'pending' | 'done'): number {
    const { lastInsertRowid } = this.#db
      .prepare<Record<string, string | number>>(
        `INSERT INTO file (source_id, batch_id, file_path, kind, location, size_bytes, mtime_ms, state)
         VALUES (:source_id, :batch_id, :file_path, :kind, :file_path, :size_bytes, :mtime_ms, :state)`,
      )
      .run({
        source_id: place.source_id,
        batch_id: place.batch_id,
        file_path: place.file_path,
        size_bytes: place.size_bytes,
        mtime_ms: place.mtime_ms,
        kind,
        state,
      });
    return Number(lastInsertRowid);
  }

  #vanished(place: Place, candidates: SameContent[]): number | undefined {
    const rank = (candidate: SameContent) => {
      if (candidate.state !== 'missing') return candidate.is_removed === 1 ? 1 : 2;
      return candidate.source_id === place.source_id && candidate.file_path === place.file_path ? 0 : 3;
    };
    const ordered = candidates.sort((a, b) => rank(a) - rank(b) || b.file_id - a.file_id);
    return ordered.find(
      (candidate) => candidate.state === 'missing' || candidate.is_removed === 1 || this.#isGone(candidate),
    )?.file_id;
  }

  /** Whether a recorded file does not exist although its folder does. */
  #isGone(candidate: SameContent): boolean {
    if (candidate.root !== '' && !existsSync(candidate.root)) return false;
    return !existsSync(resolveLocation(this.#dataFolder, candidate, candidate.location));
  }
}
