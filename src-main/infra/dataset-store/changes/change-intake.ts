import type Database from 'better-sqlite3';
import type { FileContent, SeenFile } from '../../../core/ports/changes.ts';
import type { Ids } from '../../../core/ports/clock.ts';
import type { DescribedImage, ImageResult } from '../../../core/ports/local-jobs.ts';
import { systemClock } from '../../clock.ts';
import { annotationsToRead } from '../annotations/annotations-to-read.ts';
import type { LiveRows } from '../columns/live-rows.ts';
import { inOtherFolder } from '../disk/other-folder.ts';
import { replaceContent } from '../intake/replace-content.ts';
import type { AddRow, RowAppender } from '../intake/row-appender.ts';
import type { WriterRows } from '../thread/writer-rows.ts';
import type { ChangeRow } from './change.repository.ts';
import type { FileAtPlace } from './watched-files.repository.ts';

export interface ChangeIntakeParts {
  db: Database.Database;
  rows: WriterRows;
  appender: RowAppender;
  live: LiveRows;
  ids: Ids;
}

/**
 * [Note: Changes of watched folders]
 * A change is recorded with its batch, then imported by one transaction that also deletes the record, so that after a crash at any point
 * the remaining changes are still recorded. The content of a changed file decides. If the content is the one recorded at its path, the file
 * was only touched. If the content is that of a missing item, the item was moved or has come back. Otherwise the content is a new item, or
 * new content of the item at that path. An item whose file was removed, and is at no other path by then, is missing: the item keeps its id
 * and all that is attached, and is excluded from everything that is shown. New content of a video is new content of its frames by their
 * numbers; frames that the video no longer has are missing. A new or changed annotation file becomes a file of the batch, with the others
 * of its folder that may contain the same annotations or belong to it: all are read again, annotations that only previous versions contain
 * are removed, and the rest is unchanged. The same happens when media are added that these files name and that were missing before.
 * Annotations of a deleted annotation file are kept; only its problems are deleted.
 */
export class ChangeIntake {
  readonly #parts: ChangeIntakeParts;

  constructor(parts: ChangeIntakeParts) {
    this.#parts = parts;
  }

  /** See {@link ChangeWrites.addChanges}. */
  add(
    batchId: string,
    sourceId: string,
    { added_or_changed, removed }: { added_or_changed: readonly SeenFile[]; removed: readonly string[] },
  ): number {
    const { db } = this.#parts;
    const { changes, watched } = this.#parts.rows;
    return db.transaction(() => {
      const isInOtherFolder = inOtherFolder(db);
      let noted = 0;
      for (const seen of added_or_changed) {
        const there = watched.findAt(sourceId, seen.file_path);
        if (!there && isInOtherFolder({ source_id: sourceId, location: seen.file_path })) continue;
        const isOpenableNow =
          there?.problem_kind === 'unreadable' && watched.isOpenable({ source_id: sourceId, ...seen });
        if (isAsSeen(there, seen) && !isOpenableNow) continue;
        changes.add(batchId, sourceId, seen);
        noted += 1;
      }
      for (const filePath of removed) {
        if (!watched.findAt(sourceId, filePath)) continue;
        changes.addRemoved(batchId, sourceId, filePath);
        noted += 1;
      }
      return noted;
    })();
  }

  takeVideos(batchId: string): void {
    const { db, live } = this.#parts;
    const { changes, boxes, texts } = this.#parts.rows;
    db.transaction(() => {
      boxes.adopt(batchId);
      for (const change of changes.list(batchId, 'video')) {
        this.#takeVideo(change);
        changes.delete(change.change_id);
      }
      texts.refresh();
      live.noteChange();
    })();
  }

  /** See {@link ChangeWrites.takeAnnotationChanges}. */
  takeAnnotations(batchId: string): void {
    const { db } = this.#parts;
    const { changes, watched, annotationFiles, problems } = this.#parts.rows;
    db.transaction(() => {
      for (const change of changes.list(batchId, 'annotation')) {
        const there = watched.findAt(change.source_id, change.file_path);
        if (there) watched.readAgain(there.file_id, change);
        else watched.insert(change, 'annotation', 'pending');
        changes.delete(change.change_id);
      }
      const ofFolder = annotationFiles.listOfFolder(batchId);
      const files = {
        annotation_paths: ofFolder.map(({ file_path }) => file_path),
        changed_paths: ofFolder.flatMap(({ file_path, is_pending }) => (is_pending ? [file_path] : [])),
        new_media_paths: annotationFiles.listMediaOfBatch(batchId),
      };
      const again = annotationsToRead(files, () => problems.listUnmatchedFiles(batchId));
      annotationFiles.readAgain(batchId, again);
    })();
  }

  takeKnownContent(batchId: string, files: readonly FileContent[]): void {
    const { db, live } = this.#parts;
    const { changes, texts } = this.#parts.rows;
    db.transaction(() => {
      for (const { change_id, content_hash, size_bytes, mtime_ms } of files) {
        const change = changes.find(batchId, change_id);
        if (change && this.#isKnownContent({ ...change, size_bytes, mtime_ms }, content_hash))
          changes.delete(change_id);
      }
      texts.refresh();
      live.noteChange();
    })();
  }

  async save(batchId: string, results: readonly ImageResult[]): Promise<void> {
    const { appender, live } = this.#parts;
    const { changes } = this.#parts.rows;
    await appender.append((add) => {
      for (const result of results) {
        const change = changes.find(batchId, result.key);
        if (!change) continue;
        if (result.ok) this.#takeImage(change, result, add);
        else this.#takeFailure(change, result);
        changes.delete(change.change_id);
      }
      live.noteChange();
    });
  }

  finish(batchId: string): void {
    const { db, live } = this.#parts;
    const { changes, watched, problems, texts } = this.#parts.rows;
    db.transaction(() => {
      for (const { source_id, file_path } of changes.list(batchId, 'removed')) {
        const file = watched.findAt(source_id, file_path);
        if (file) this.#miss(file);
        if (file?.kind === 'annotation') problems.deleteOf(source_id, file_path);
      }
      changes.deleteBatch(batchId);
      changes.deleteEmptyBatch(batchId);
      texts.refresh();
      live.noteChange();
    })();
  }

  /** Whether the change is completely handled, so that nothing has to be decoded. */
  #isKnownContent(change: ChangeRow, contentHash: string): boolean {
    const { watched } = this.#parts.rows;
    const there = watched.findAt(change.source_id, change.file_path);
    if (there) {
      if (there.content_hash !== contentHash) return false;
      watched.markDone(there.file_id, change);
      return true;
    }
    const fileId = watched.findVanishedImage(change, contentHash);
    if (fileId === undefined) return false;
    watched.moveTo(change, fileId);
    return true;
  }

  #takeImage(change: ChangeRow, image: DescribedImage, add: AddRow): void {
    const { watched, media, results } = this.#parts.rows;
    const { batch_id } = change;
    // The file may have been written again since the change was recorded. These are the values of the content that was read.
    const place = { ...change, size_bytes: image.size_bytes, mtime_ms: image.mtime_ms };
    if (this.#isKnownContent(place, image.content_hash)) return;
    const there = watched.findAt(place.source_id, place.file_path);
    const { row, slot } = add(image);
    const mediaId = there?.media_id ?? this.#parts.ids.uuid();
    const fileId = there?.file_id ?? watched.insert(place, 'image', 'done');
    if (there) watched.markDone(fileId, place);
    if (there?.media_id) replaceContent(this.#parts.rows, { batch_id, media_id: mediaId, row, image, slot });
    else media.insert(row, mediaId, { ...image, key: fileId }, slot, systemClock.iso());
    if (image.failure) results.addFailure(mediaId, image.failure.model_id, image.failure.reason);
  }

  #takeFailure(change: ChangeRow, failure: ImageResult & { ok: false }): void {
    const { watched } = this.#parts.rows;
    const there = watched.findAt(change.source_id, change.file_path);
    const fileId = there?.file_id ?? watched.insert(change, 'image', 'pending');
    watched.markFailed(fileId, change, { kind: failure.kind, reason: failure.reason });
  }

  #takeVideo(change: ChangeRow): void {
    const { watched } = this.#parts.rows;
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
    const { watched } = this.#parts.rows;
    if (file.media_id === null && file.video_id === null) watched.delete(file.file_id);
    else watched.markMissing(file.file_id);
  }
}

/**
 * Whether a file is recorded as it was seen, and does not have to be read again after a failed batch. File systems and databases round
 * times differently, by less than a millisecond.
 */
function isAsSeen(file: FileAtPlace | undefined, seen: SeenFile): boolean {
  if (file?.state === 'pending') return false;
  return file !== undefined && file.size_bytes === seen.size_bytes && Math.abs(file.mtime_ms - seen.mtime_ms) < 1;
}
