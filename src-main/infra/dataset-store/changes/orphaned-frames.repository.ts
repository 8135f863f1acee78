import type Database from 'better-sqlite3';
import type { FrameFile, OrphanedFrame } from '../../../core/ports/dataset-files.ts';

/**
 * Frame images of replaced video content. The transaction that replaces the frames adds them; they are removed when their files are
 * deleted.
 */
export class OrphanedFramesRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /**
   * Adds all current frames of a file's video. Joins the caller's transaction, before the frames change.
   * @param replacedIn The media folder of the new frames; null if there are none.
   */
  note(fileId: number, replacedIn: string | null): void {
    this.#db
      .prepare<[string | null, number]>(
        `INSERT INTO orphaned_frame SELECT source_id, location, ? FROM file
         WHERE video_id = (SELECT video_id FROM video WHERE file_id = ?) ON CONFLICT DO NOTHING`,
      )
      .run(replacedIn, fileId);
  }

  list(): OrphanedFrame[] {
    return this.#db
      .prepare<[], OrphanedFrame>(
        'SELECT source_id AS batch_id, location, replaced_in FROM orphaned_frame ORDER BY 1, 2',
      )
      .all();
  }

  /**
   * Returns the frames that are still in use: by a current frame, or by a frame that returns with its missing video. Frames from the last
   * reading of the video have the batch of the video.
   */
  listUsed(frames: readonly FrameFile[]): FrameFile[] {
    return this.#db
      .prepare<[string], FrameFile>(
        `SELECT DISTINCT frame.source_id AS batch_id, frame.location
         FROM file AS frame JOIN video USING (video_id) JOIN file AS whole ON whole.file_id = video.file_id
         WHERE (frame.state <> 'missing' OR frame.batch_id = whole.batch_id) AND (frame.source_id, frame.location) IN (
           SELECT json_extract(value, '$.batch_id'), json_extract(value, '$.location') FROM json_each(?))`,
      )
      .all(JSON.stringify(frames));
  }

  forget(frames: readonly FrameFile[]): void {
    const forget = this.#db.prepare<FrameFile>(
      'DELETE FROM orphaned_frame WHERE source_id = :batch_id AND location = :location',
    );
    this.#db.transaction(() => {
      for (const frame of frames) forget.run(frame);
    })();
  }
}
