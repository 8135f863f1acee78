import type { ChangedFile, ChangeWriter, FileContent, SeenFile } from '../../../core/ports/change-writer.ts';
import type { FileCursor, FrameFile, OrphanedFrame, PendingFile } from '../../../core/ports/dataset-files.ts';
import type { ImageResult } from '../../../core/ports/local-jobs.ts';
import type { Answered } from '../../threads/answered.ts';
import { ChangeIntake, type ChangeIntakeParts } from './change-intake.ts';
import type { WriterRows } from './writer-rows.ts';

/** Takes in what watched folders tell of, and where the files of a dataset are now. */
export class LocalChangeWriter implements Answered<ChangeWriter> {
  readonly #rows: WriterRows;
  readonly #intake: ChangeIntake;

  constructor(parts: ChangeIntakeParts) {
    this.#rows = parts.rows;
    this.#intake = new ChangeIntake(parts);
  }

  clearChanges(): void {
    this.#rows.changes.clear();
  }

  addChanges(
    batchId: string,
    sourceId: string,
    changes: { added_or_changed: readonly SeenFile[]; removed: readonly string[] },
  ): number {
    return this.#intake.add(batchId, sourceId, changes);
  }

  takeVideoChanges(batchId: string): void {
    this.#intake.takeVideos(batchId);
  }

  takeAnnotationChanges(batchId: string): void {
    this.#intake.takeAnnotations(batchId);
  }

  listSameSize(batchId: string, after: number, limit: number): ChangedFile[] {
    return this.#rows.changes.listSameSize(batchId, after, limit);
  }

  takeKnownContent(batchId: string, files: FileContent[]): void {
    this.#intake.takeKnownContent(batchId, files);
  }

  listChanged(batchId: string, after: FileCursor, limit: number): PendingFile[] {
    return this.#rows.changes.listImages(batchId, after, limit);
  }

  saveChanged(batchId: string, results: ImageResult[]): void {
    this.#intake.save(batchId, results);
  }

  countChanges(batchId: string): number {
    return this.#rows.changes.count(batchId);
  }

  finishChanges(batchId: string): void {
    this.#intake.finish(batchId);
  }

  listOrphanedFrames(): OrphanedFrame[] {
    return this.#rows.orphanedFrames.list();
  }

  forgetOrphanedFrames(frames: FrameFile[]): void {
    this.#rows.orphanedFrames.forget(frames);
  }

  moveSource(sourceId: string, root: string): void {
    this.#rows.sources.move(sourceId, root);
  }
}
