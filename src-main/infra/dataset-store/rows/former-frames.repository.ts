import type Database from 'better-sqlite3';
import type { FormerFrame, FrameFile } from '../../../core/ports/dataset-files.ts';

/**
 * Images of frames that a video no longer consists of since its content changed. They are noted by the transaction that puts others
 * in their place, and forgotten once they are deleted.
 */
export class FormerFramesRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /**
   * Notes all present frames of a file's video. Joins the caller's transaction, before the frames change.
   * @param replacedIn The media folder of those that take their place, if there are any.
   */
  note(fileId: number, replacedIn: string | null): void {
    this.#db
      .prepare<[string | null, number]>(
        `INSERT INTO former_frame SELECT source_id, location, ? FROM file
         WHERE video_id = (SELECT video_id FROM video WHERE file_id = ?) ON CONFLICT DO NOTHING`,
      )
      .run(replacedIn, fileId);
  }

  list(): FormerFrame[] {
    return this.#db
      .prepare<[], FormerFrame>('SELECT source_id AS batch_id, location, replaced_in FROM former_frame ORDER BY 1, 2')
      .all();
  }

  /**
   * Which of these are of a frame that is there, or that comes back with its video when that does: frames of its last reading are of the
   * same batch as the video.
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
      'DELETE FROM former_frame WHERE source_id = :batch_id AND location = :location',
    );
    this.#db.transaction(() => {
      for (const frame of frames) forget.run(frame);
    })();
  }
}
