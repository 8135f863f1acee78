import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { DescribedImage, ImageResult } from '../../../core/ports/compute.ts';
import type { FileContent, SeenFile } from '../../../core/ports/dataset-store.ts';
import { systemClock } from '../../clock.ts';
import type { VectorSegments } from '../../vectors/vector-segments.ts';
import { inOtherFolder } from '../disk/other-folder.ts';
import type { ThumbnailPacks } from '../disk/thumbnail-packs.ts';
import type { LiveRows } from '../read/live-rows.ts';
import type { AnnotationRepository } from '../rows/annotation.repository.ts';
import type { ChangeRepository, ChangeRow } from '../rows/change.repository.ts';
import type { MediaRepository } from '../rows/media.repository.ts';
import type { ObjectRepository } from '../rows/object.repository.ts';
import type { FileAtPlace, WatchedFilesRepository } from '../rows/watched-files.repository.ts';
import { annotationsToRead } from './annotations-to-read.ts';
import { replaceContent } from './replace-content.ts';

export interface ChangeIntakeParts {
  db: Database.Database;
  changes: ChangeRepository;
  watched: WatchedFilesRepository;
  media: MediaRepository;
  objects: ObjectRepository;
  annotations: AnnotationRepository;
  thumbnails: ThumbnailPacks;
  live: LiveRows;
  openVectors(): VectorSegments;
}

/**
 * [Note: Changes of watched folders]
 * A change is noted with its batch, then taken in by one transaction that also forgets the note: a crash anywhere leaves what is still
 * to be done. What a changed file holds decides: the content that is recorded at its path was only touched; content of an item that is
 * here no more is that item, moved or back; else it is new, or new content of the item at that path. What was removed and is by then
 * nowhere else is missing: its item keeps its id and all that is attached, and is left out of everything that is shown.
 *
 * New content of a video is new content of its frames by their numbers; frames that it has no more are missing.
 *
 * When an annotation file is new or has changed it becomes a file of the batch, with the others of its folder that may say the same or
 * belong to it: they are read again, what former versions said and none says now is removed, and the rest stays as it is. So they are
 * when media come that these files name and that were not there. What a removed annotation file said stays; only its problems go.
 */
export class ChangeIntake {
  readonly #parts: ChangeIntakeParts;

  constructor(parts: ChangeIntakeParts) {
    this.#parts = parts;
  }

  /** See {@link ChangeStore.addChanges}. */
  add(
    batch_id: string,
    source_id: string,
    { added_or_changed, removed }: { added_or_changed: readonly SeenFile[]; removed: readonly string[] },
  ): number {
    const { db, changes, watched } = this.#parts;
    return db.transaction(() => {
      const isInOtherFolder = inOtherFolder(db);
      let noted = 0;
      for (const seen of added_or_changed) {
        const there = watched.findAt(source_id, seen.file_path);
        if (!there && isInOtherFolder({ source_id, location: seen.file_path })) continue;
        const is_openable_now = there?.problem_kind === 'unreadable' && watched.isOpenable({ source_id, ...seen });
        if (isAsSeen(there, seen) && !is_openable_now) continue;
        changes.add(batch_id, source_id, seen);
        noted += 1;
      }
      for (const file_path of removed) {
        if (!watched.findAt(source_id, file_path)) continue;
        changes.addRemoved(batch_id, source_id, file_path);
        noted += 1;
      }
      return noted;
    })();
  }

  takeVideos(batch_id: string): void {
    const { db, changes, objects } = this.#parts;
    db.transaction(() => {
      objects.adoptWaiting(batch_id);
      for (const change of changes.list(batch_id, 'video')) {
        this.#takeVideo(change);
        changes.delete(change.change_id);
      }
    })();
    this.#parts.live.noteChange();
  }

  /** See {@link ChangeStore.takeAnnotationChanges}. */
  takeAnnotations(batch_id: string): void {
    const { db, changes, watched } = this.#parts;
    db.transaction(() => {
      for (const change of changes.list(batch_id, 'annotation')) {
        const there = watched.findAt(change.source_id, change.file_path);
        if (there) watched.readAgain(there.file_id, change);
        else watched.insert(change, 'annotation', 'pending');
        changes.delete(change.change_id);
      }
      const annotation_files = watched.listAnnotationFiles(batch_id);
      const files = {
        annotation_paths: annotation_files.map(({ file_path }) => file_path),
        changed_paths: annotation_files.flatMap(({ file_path, is_pending }) => (is_pending ? [file_path] : [])),
        new_media_paths: watched.listMediaOfBatch(batch_id),
      };
      const again = annotationsToRead(files, () => watched.listAnnotationProblems(batch_id));
      watched.readAnnotationsAgain(batch_id, again);
    })();
  }

  takeKnownContent(batch_id: string, files: readonly FileContent[]): void {
    const { db, changes, live } = this.#parts;
    db.transaction(() => {
      for (const { change_id, content_hash, size_bytes, mtime_ms } of files) {
        const change = changes.find(batch_id, change_id);
        if (change && this.#isKnownContent({ ...change, size_bytes, mtime_ms }, content_hash))
          changes.delete(change_id);
      }
    })();
    live.noteChange();
  }

  save(batch_id: string, results: readonly ImageResult[]): void {
    const { db, changes, thumbnails, live } = this.#parts;
    const thumbnails_before = thumbnails.position();
    try {
      db.transaction(() => {
        for (const result of results) {
          const change = changes.find(batch_id, result.key);
          if (!change) continue;
          if (result.ok) this.#takePicture(change, result);
          else this.#takeFailure(change, result);
          changes.delete(change.change_id);
        }
      })();
    } catch (error) {
      thumbnails.rewind(thumbnails_before);
      throw error;
    }
    live.noteChange();
  }

  finish(batch_id: string): void {
    const { db, changes, watched, annotations, live } = this.#parts;
    db.transaction(() => {
      for (const { source_id, file_path } of changes.list(batch_id, 'removed')) {
        const file = watched.findAt(source_id, file_path);
        if (file) this.#miss(file);
        if (file?.kind === 'annotation') annotations.deleteProblemsOf(source_id, file_path);
      }
      changes.deleteBatch(batch_id);
      changes.deleteEmptyBatch(batch_id);
    })();
    live.noteChange();
  }

  /** Whether the change is dealt with: nothing has to be decoded. */
  #isKnownContent(change: ChangeRow, content_hash: string): boolean {
    const { watched } = this.#parts;
    const there = watched.findAt(change.source_id, change.file_path);
    if (there) {
      if (there.content_hash !== content_hash) return false;
      watched.markDone(there.file_id, change);
      return true;
    }
    const file_id = watched.findVanishedPicture(change, content_hash);
    if (file_id === undefined) return false;
    watched.moveTo(change, file_id);
    return true;
  }

  #takePicture(change: ChangeRow, image: DescribedImage): void {
    const { watched, media, thumbnails, openVectors } = this.#parts;
    const { batch_id } = change;
    // The file may have been written again since it was noted; this is what was read.
    const place = { ...change, size_bytes: image.size_bytes, mtime_ms: image.mtime_ms };
    if (this.#isKnownContent(place, image.content_hash)) return;
    const there = watched.findAt(place.source_id, place.file_path);
    const row = media.count();
    openVectors().writeRows(row, image.vector);
    const slot = thumbnails.append(image.thumbnail);
    if (there?.media_id) {
      replaceContent(this.#parts, { batch_id, media_id: there.media_id, row, image, slot });
      watched.markDone(there.file_id, place);
      return;
    }
    const file_id = there?.file_id ?? watched.insert(place, 'image', 'done');
    if (there) watched.markDone(file_id, place);
    media.insert(row, randomUUID(), { ...image, key: file_id }, slot, systemClock.iso());
  }

  #takeFailure(change: ChangeRow, failure: ImageResult & { ok: false }): void {
    const { watched } = this.#parts;
    const there = watched.findAt(change.source_id, change.file_path);
    const file_id = there?.file_id ?? watched.insert(change, 'image', 'pending');
    watched.markFailed(file_id, change, { kind: failure.kind, reason: failure.reason });
  }

  #takeVideo(change: ChangeRow): void {
    const { watched } = this.#parts;
    const there = watched.findAt(change.source_id, change.file_path);
    if (isAsSeen(there, change) && there?.problem_kind !== 'unreadable') return;
    const moved = watched.findVanishedVideo(change);
    if (moved !== undefined) {
      if (there) this.#miss(there);
      watched.moveTo(change, moved);
    } else if (there) watched.readAgain(there.file_id, change);
    else watched.insert(change, 'video', 'pending');
  }

  #miss(file: FileAtPlace): void {
    const { watched } = this.#parts;
    if (file.media_id === null && file.video_id === null) watched.delete(file.file_id);
    else watched.markMissing(file.file_id);
  }
}

/**
 * Whether a file is recorded as it was seen, and is not still to be read from a batch that failed. File systems and databases round times
 * differently, by less than a millisecond.
 */
function isAsSeen(file: FileAtPlace | undefined, seen: SeenFile): boolean {
  if (file?.state === 'pending') return false;
  return file !== undefined && file.size_bytes === seen.size_bytes && Math.abs(file.mtime_ms - seen.mtime_ms) < 1;
}
