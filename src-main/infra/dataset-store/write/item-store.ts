import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { DescribedImage, ImageResult } from '../../../core/ports/compute.ts';
import type { ByteRange, FileProblemKind, NewFile, NewVideo } from '../../../core/ports/dataset-store.ts';
import { systemClock } from '../../clock.ts';
import { fileName, resolveLocation } from '../disk/locations.ts';
import type { ThumbnailPacks } from '../disk/thumbnail-packs.ts';
import type { VectorSpaces } from '../disk/vector-spaces.ts';
import type { LiveRows } from '../read/live-rows.ts';
import type { AnnotationRepository } from '../rows/annotation.repository.ts';
import type { FileRepository } from '../rows/file.repository.ts';
import { FormerFramesRepository } from '../rows/former-frames.repository.ts';
import type { MediaRepository } from '../rows/media.repository.ts';
import type { ObjectRepository } from '../rows/object.repository.ts';
import { replaceContent } from './replace-content.ts';

interface Parts {
  db: Database.Database;
  files: FileRepository;
  media: MediaRepository;
  objects: ObjectRepository;
  annotations: AnnotationRepository;
  thumbnails: ThumbnailPacks;
  vectors: VectorSpaces;
  live: LiveRows;
  data_folder: string;
}

/** Files on their way to becoming items, and where the items' bytes are. */
export class ItemStore {
  readonly #parts: Parts;
  readonly #former_frames: FormerFramesRepository;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#former_frames = new FormerFramesRepository(parts.db);
  }

  saveVideo(video: NewVideo, frames: NewFile[]): void {
    const { db, files, live } = this.#parts;
    const batch_id = files.batchOf(video.file_id);
    if (batch_id === undefined || !files.isPending(video.file_id)) return;
    const known_id = files.findVideoOf(video.file_id);
    db.transaction(() => {
      this.#former_frames.note(video.file_id);
      files.saveVideo({ ...video, video_id: known_id ?? video.video_id });
      if (known_id === undefined) files.addFiles(batch_id, frames);
      else files.replaceFrames(batch_id, known_id, frames);
    })();
    if (known_id !== undefined) live.noteChange();
  }

  failFile(file_id: number, kind: FileProblemKind, reason: string): void {
    const { db, files, live } = this.#parts;
    db.transaction(() => {
      this.#former_frames.note(file_id);
      files.markFailed(file_id, kind, reason);
      files.missFrames(file_id);
    })();
    live.noteChange();
  }

  saveResults(results: ImageResult[]): void {
    const { db, files, media, thumbnails, live } = this.#parts;
    const pending = results.filter((result): result is DescribedImage => result.ok && files.isPending(result.key));
    const known = new Map(pending.map(({ key }) => [key, media.findOfFile(key)]));
    const described = pending.filter(({ key, content_hash }) => known.get(key)?.content_hash !== content_hash);
    const first_row = media.count();
    const thumbnails_before = thumbnails.position();
    const vectors = this.#parts.vectors.of('IMAGES');
    const flat = new Float32Array(described.length * vectors.dim);
    described.forEach((image, index) => {
      flat.set(image.vector, index * vectors.dim);
    });
    try {
      if (described.length > 0) vectors.writeRows(first_row, flat);
      const now = systemClock.iso();
      db.transaction(() => {
        described.forEach((image, index) => {
          const slot = thumbnails.append(image.thumbnail);
          const row = first_row + index;
          const item = known.get(image.key);
          if (item) replaceContent(this.#parts, { ...item, row, image, slot });
          else media.insert(row, randomUUID(), image, slot, now);
        });
        for (const image of pending) files.markDone(image.key, image.size_bytes, image.mtime_ms);
        for (const result of results) if (!result.ok) files.markFailed(result.key, result.kind, result.reason);
      })();
    } catch (error) {
      thumbnails.rewind(thumbnails_before);
      throw error;
    }
    if (pending.some(({ key }) => known.get(key) !== undefined)) live.noteChange();
  }

  /** @param media_id An item's, or a video's: then its whole file. */
  locateOriginal(media_id: string): ByteRange | undefined {
    const { media, data_folder } = this.#parts;
    const row = media.find(media_id);
    if (!row) return this.#locateVideo(media_id);
    return {
      path: resolveLocation(data_folder, row, row.location),
      offset: 0,
      length: null,
      content_hash: row.content_hash,
      format: row.format,
      file_name: fileName(row.file_path),
    };
  }

  #locateVideo(video_id: string): ByteRange | undefined {
    const { files, data_folder } = this.#parts;
    const row = files.findVideoFile(video_id);
    if (!row) return undefined;
    return {
      path: resolveLocation(data_folder, row, row.location),
      offset: 0,
      length: null,
      content_hash: `${row.size_bytes}-${row.mtime_ms}`,
      format: row.file_path.slice(row.file_path.lastIndexOf('.') + 1),
      file_name: fileName(row.file_path),
    };
  }
}
