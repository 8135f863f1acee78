import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { BoxCursor, BoxResult, PictureOfBoxes } from '../../../core/ports/boxes.ts';
import { systemClock } from '../../clock.ts';
import { resolveLocation } from '../disk/locations.ts';
import { THUMBNAIL_FOLDERS, ThumbnailPacks } from '../disk/thumbnail-packs.ts';
import type { VectorSpaces } from '../disk/vector-spaces.ts';
import type { LiveRows } from '../read/live-rows.ts';
import type { AnnotationRepository } from '../rows/annotation.repository.ts';
import type { ObjectRepository } from '../rows/object.repository.ts';

type Described = BoxResult & { ok: true };

/** Boxes on their way to becoming objects. */
export class ObjectStore {
  readonly #db: Database.Database;
  readonly #objects: ObjectRepository;
  readonly #annotations: AnnotationRepository;
  readonly #vectors: VectorSpaces;
  readonly #live: LiveRows;
  readonly #thumbnails: ThumbnailPacks;
  readonly #dataFolder: string;

  constructor(parts: {
    db: Database.Database;
    objects: ObjectRepository;
    annotations: AnnotationRepository;
    vectors: VectorSpaces;
    live: LiveRows;
    folder: string;
    dataFolder: string;
    shared_packs: number;
  }) {
    this.#db = parts.db;
    this.#objects = parts.objects;
    this.#annotations = parts.annotations;
    this.#vectors = parts.vectors;
    this.#live = parts.live;
    this.#dataFolder = parts.dataFolder;
    this.#thumbnails = new ThumbnailPacks(
      join(parts.folder, THUMBNAIL_FOLDERS.OBJECTS),
      parts.objects.thumbnailEnd(),
      parts.shared_packs,
    );
  }

  close(): void {
    this.#thumbnails.close();
  }

  listBoxes(batchId: string, after: BoxCursor, limit: number): { pictures: PictureOfBoxes[]; after: BoxCursor } {
    const boxes = this.#objects.listFound(batchId, after, limit);
    const pictures = new Map<number, PictureOfBoxes>();
    for (const { found_id, media_row, picture_width, picture_height, x, y, width, height, ...file } of boxes) {
      const picture = pictures.get(media_row) ?? {
        path: resolveLocation(this.#dataFolder, file, file.location),
        width: picture_width,
        height: picture_height,
        crops: [],
      };
      picture.crops.push({ key: found_id, box: { x, y, width, height } });
      pictures.set(media_row, picture);
    }
    const last = boxes.at(-1);
    return {
      pictures: [...pictures.values()],
      after: last ? { media_row: last.media_row, found_id: last.found_id } : null,
    };
  }

  saveBoxes(results: BoxResult[]): void {
    const found = new Map(results.map(({ key }) => [key, this.#objects.findFound(key)]));
    const waiting = results.filter(({ key }) => found.get(key) !== undefined);
    const described = waiting.filter((result): result is Described => result.ok);
    const firstRow = this.#objects.rows();
    const thumbnailsBefore = this.#thumbnails.position();
    try {
      this.#vectors.writeRows('OBJECTS', firstRow, described);
      const now = systemClock.iso();
      this.#db.transaction(() => {
        described.forEach((result, index) => {
          const slot = this.#thumbnails.append(result.thumbnail);
          const { caption = null, caption_source = null } = result;
          this.#objects.insert(firstRow + index, randomUUID(), result.key, slot, now, { caption, caption_source });
        });
        for (const result of waiting) if (!result.ok) this.#setAside(result.key, result.reason);
        // Objects that were there before have other rows now.
        if (waiting.some(({ key }) => (found.get(key)?.object_id ?? null) !== null)) this.#live.noteChange();
      })();
    } catch (error) {
      this.#thumbnails.rewind(thumbnailsBefore);
      throw error;
    }
  }

  /** Forgets the boxes and unpublished objects of a batch. Joins the caller's transaction; call {@link rewind} after it. */
  deleteBatch(firstRow: number, batchId: string): void {
    this.#objects.deleteBatch(firstRow, batchId);
  }

  /** Lets go of thumbnails that no row points to any more. */
  rewind(): void {
    this.#thumbnails.rewind(this.#objects.thumbnailEnd());
  }

  sync(): void {
    this.#thumbnails.sync();
  }

  #setAside(foundId: number, reason: string): void {
    const found = this.#objects.findFound(foundId);
    if (!found) return;
    const { batch_id, annotation_path, line, object_id } = found;
    // A model's boxes are in no file; what it could not use of them is nobody's mistake.
    if (annotation_path !== '') this.#annotations.addProblem({ batch_id, source_path: annotation_path, line, reason });
    this.#objects.deleteFound(foundId);
    if (object_id !== null) this.#objects.delete(object_id);
  }
}
