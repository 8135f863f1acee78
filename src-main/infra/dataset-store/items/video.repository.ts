import type Database from 'better-sqlite3';
import { storeMessage } from '../../../contract/messages.ts';
import type { NewFile, NewVideo } from '../../../core/ports/dataset-files.ts';
import type { FileRepository } from '../intake/file.repository.ts';

/** Videos of one dataset that were read; updates their frames. */
export class VideoRepository {
  readonly #db: Database.Database;
  readonly #files: FileRepository;

  constructor(db: Database.Database, files: FileRepository) {
    this.#db = db;
    this.#files = files;
  }

  save({ problem, ...video }: NewVideo): void {
    this.#db
      .prepare<Omit<NewVideo, 'problem'>>(
        `INSERT INTO video VALUES (:video_id, :file_id, :width, :height, :duration_s, :frames_per_second, :codec, :poster_timestamp)
         ON CONFLICT (video_id) DO UPDATE SET width = :width, height = :height, duration_s = :duration_s,
           frames_per_second = :frames_per_second, codec = :codec, poster_timestamp = :poster_timestamp`,
      )
      .run(video);
    this.#db
      .prepare<[string | null, string | null, number]>(
        `UPDATE file SET state = 'done', problem_kind = ?, problem_reason = ? WHERE file_id = ?`,
      )
      .run(problem?.kind ?? null, problem ? storeMessage(problem.reason) : null, video.file_id);
  }

  /** Returns the video of a file. */
  findOfFile(fileId: number): string | undefined {
    return this.#db.prepare<[number], string>('SELECT video_id FROM video WHERE file_id = ?').pluck().get(fileId);
  }

  /**
   * Gives the frames of a video new content by their numbers. Frames without new content become missing. Joins the caller's transaction.
   */
  replaceFrames(batchId: string, videoId: string, frames: readonly NewFile[]): void {
    this.#db.prepare<[string]>(`UPDATE file SET state = 'missing' WHERE video_id = ?`).run(videoId);
    const replace = this.#db.prepare<Record<string, string | number | null>>(
      `UPDATE file SET batch_id = :batch_id, source_id = :source_id, file_path = :file_path, location = :location,
         size_bytes = :size_bytes, mtime_ms = :mtime_ms, frame_timestamp = :frame_timestamp, state = 'pending', problem_kind = NULL,
         problem_reason = NULL
       WHERE video_id = :video_id AND frame_number = :frame_number`,
    );
    const added = frames.filter((file) => {
      const { source_id = batchId, file_path, location, size_bytes, mtime_ms, frame } = file;
      if (!frame) return true;
      const { frame_number, frame_timestamp } = frame;
      const place = { source_id, file_path, location, size_bytes, mtime_ms };
      return (
        replace.run({ batch_id: batchId, video_id: videoId, frame_number, frame_timestamp, ...place }).changes === 0
      );
    });
    this.#files.addFiles(
      batchId,
      added.map((file) => (file.frame ? { ...file, frame: { ...file.frame, video_id: videoId } } : file)),
    );
  }

  /** Marks the frames of a video that cannot be read as missing. Joins the caller's transaction. */
  missFrames(fileId: number): void {
    this.#db
      .prepare<[number]>(
        `UPDATE file SET state = 'missing' WHERE state = 'done' AND video_id = (SELECT video_id FROM video WHERE file_id = ?)`,
      )
      .run(fileId);
  }
}
