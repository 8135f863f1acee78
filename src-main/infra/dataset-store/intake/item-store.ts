import type Database from 'better-sqlite3';
import type { Message } from '../../../contract/messages.ts';
import type { Ids } from '../../../core/ports/clock.ts';
import type { FileProblemKind, NewFile, NewVideo } from '../../../core/ports/dataset-files.ts';
import type { DescribedImage, ImageResult } from '../../../core/ports/local-jobs.ts';
import { systemClock } from '../../clock.ts';
import type { LiveRows } from '../columns/live-rows.ts';
import type { WriterRows } from '../thread/writer-rows.ts';
import { replaceContent } from './replace-content.ts';
import type { RowAppender } from './row-appender.ts';

interface Parts {
  db: Database.Database;
  rows: WriterRows;
  appender: RowAppender;
  live: LiveRows;
  ids: Ids;
}

/** Stores files as items. */
export class ItemStore {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  saveVideo(video: NewVideo, frames: NewFile[]): void {
    const { db, live } = this.#parts;
    const { files, videos, orphanedFrames, texts } = this.#parts.rows;
    const batchId = files.batchOf(video.file_id);
    if (batchId === undefined || !files.isPending(video.file_id)) return;
    const knownId = videos.findOfFile(video.file_id);
    db.transaction(() => {
      orphanedFrames.note(video.file_id, frames.length > 0 ? batchId : null);
      videos.save({ ...video, video_id: knownId ?? video.video_id });
      if (knownId === undefined) files.addFiles(batchId, frames);
      else videos.replaceFrames(batchId, knownId, frames);
      texts.refresh();
      if (knownId !== undefined) live.noteChange();
    })();
  }

  failFile(fileId: number, kind: FileProblemKind, reason: Message): void {
    const { db, live } = this.#parts;
    const { files, videos, orphanedFrames } = this.#parts.rows;
    db.transaction(() => {
      orphanedFrames.note(fileId, null);
      files.markFailed(fileId, kind, reason);
      videos.missFrames(fileId);
      live.noteChange();
    })();
  }

  async saveResults(images: ImageResult[]): Promise<void> {
    const { rows, appender, live, ids } = this.#parts;
    const { files, media, results } = rows;
    const pending = images.filter((result): result is DescribedImage => result.ok && files.isPending(result.key));
    const known = new Map(pending.map(({ key }) => [key, media.findOfFile(key)]));
    const described = pending.filter(({ key, content_hash }) => known.get(key)?.content_hash !== content_hash);
    const now = systemClock.iso();
    await appender.append((add) => {
      for (const image of described) {
        const { row, slot } = add(image);
        const item = known.get(image.key);
        const mediaId = item?.media_id ?? ids.uuid();
        if (item) replaceContent(rows, { ...item, row, image, slot });
        else media.insert(row, mediaId, image, slot, now);
        if (image.failure) results.addFailure(mediaId, image.failure.model_id, image.failure.reason);
      }
      for (const image of pending) files.markDone(image.key, image.size_bytes, image.mtime_ms);
      for (const result of images) if (!result.ok) files.markFailed(result.key, result.kind, result.reason);
      if (pending.some(({ key }) => known.get(key) !== undefined)) live.noteChange();
    });
  }
}
