import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { DescribedImage, ImageResult } from '../../../core/ports/compute.ts';
import type { FileProblemKind, NewFile, NewVideo } from '../../../core/ports/dataset-files.ts';
import { systemClock } from '../../clock.ts';
import type { LiveRows } from '../read/live-rows.ts';
import type { AnnotationRepository } from '../rows/annotation.repository.ts';
import type { FileRepository } from '../rows/file.repository.ts';
import { FormerFramesRepository } from '../rows/former-frames.repository.ts';
import type { MediaRepository } from '../rows/media.repository.ts';
import type { ModelResultRepository } from '../rows/model-result.repository.ts';
import type { ObjectRepository } from '../rows/object.repository.ts';
import { replaceContent } from './replace-content.ts';
import type { RowAppender } from './row-appender.ts';

interface Parts {
  db: Database.Database;
  files: FileRepository;
  media: MediaRepository;
  results: ModelResultRepository;
  objects: ObjectRepository;
  annotations: AnnotationRepository;
  appender: RowAppender;
  live: LiveRows;
  dataFolder: string;
}

/** Files on their way to becoming items. */
export class ItemStore {
  readonly #parts: Parts;
  readonly #formerFrames: FormerFramesRepository;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#formerFrames = new FormerFramesRepository(parts.db);
  }

  saveVideo(video: NewVideo, frames: NewFile[]): void {
    const { db, files, live } = this.#parts;
    const batchId = files.batchOf(video.file_id);
    if (batchId === undefined || !files.isPending(video.file_id)) return;
    const knownId = files.findVideoOf(video.file_id);
    db.transaction(() => {
      this.#formerFrames.note(video.file_id);
      files.saveVideo({ ...video, video_id: knownId ?? video.video_id });
      if (knownId === undefined) files.addFiles(batchId, frames);
      else files.replaceFrames(batchId, knownId, frames);
      if (knownId !== undefined) live.noteChange();
    })();
  }

  failFile(fileId: number, kind: FileProblemKind, reason: string): void {
    const { db, files, live } = this.#parts;
    db.transaction(() => {
      this.#formerFrames.note(fileId);
      files.markFailed(fileId, kind, reason);
      files.missFrames(fileId);
      live.noteChange();
    })();
  }

  saveResults(images: ImageResult[]): void {
    const { files, media, results, appender, live } = this.#parts;
    const pending = images.filter((result): result is DescribedImage => result.ok && files.isPending(result.key));
    const known = new Map(pending.map(({ key }) => [key, media.findOfFile(key)]));
    const described = pending.filter(({ key, content_hash }) => known.get(key)?.content_hash !== content_hash);
    const now = systemClock.iso();
    appender.append((add) => {
      for (const image of described) {
        const { row, slot } = add(image);
        const item = known.get(image.key);
        const mediaId = item?.media_id ?? randomUUID();
        if (item) replaceContent(this.#parts, { ...item, row, image, slot });
        else media.insert(row, mediaId, image, slot, now);
        if (image.failure) results.addFailure(mediaId, image.failure.model_id, image.failure.reason);
      }
      for (const image of pending) files.markDone(image.key, image.size_bytes, image.mtime_ms);
      for (const result of images) if (!result.ok) files.markFailed(result.key, result.kind, result.reason);
      if (pending.some(({ key }) => known.get(key) !== undefined)) live.noteChange();
    });
  }
}
