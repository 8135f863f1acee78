import type { ChangedFile, ChangeWrites, FileContent, SeenFile } from '../../../core/ports/changes.ts';
import type { FileCursor, FrameFile, OrphanedFrame, PendingFile } from '../../../core/ports/dataset-files.ts';
import type { ImageResult } from '../../../core/ports/local-jobs.ts';
import type { Answered } from '../../threads/answered.ts';
import type { WriterRows } from '../thread/writer-rows.ts';
import { ChangeIntake, type ChangeIntakeParts } from './change-intake.ts';

export class LocalChangeWrites implements Answered<ChangeWrites> {
  readonly #rows: WriterRows;
  readonly #intake: ChangeIntake;

  constructor(parts: ChangeIntakeParts) {
    this.#rows = parts.rows;
    this.#intake = new ChangeIntake(parts);
  }

  clear(): void {
    this.#rows.changes.clear();
  }

  add(
    batchId: string,
    sourceId: string,
    changes: { added_or_changed: readonly SeenFile[]; removed: readonly string[] },
  ): number {
    return this.#intake.add(batchId, sourceId, changes);
  }

  takeVideos(batchId: string): void {
    this.#intake.takeVideos(batchId);
  }

  takeAnnotations(batchId: string): void {
    this.#intake.takeAnnotations(batchId);
  }

  listSameSize(batchId: string, after: number, limit: number): ChangedFile[] {
    return this.#rows.changes.listSameSize(batchId, after, limit);
  }

  takeKnownContent(batchId: string, files: FileContent[]): void {
    this.#intake.takeKnownContent(batchId, files);
  }

  listImages(batchId: string, after: FileCursor, limit: number): PendingFile[] {
    return this.#rows.changes.listImages(batchId, after, limit);
  }

  saveResults(batchId: string, results: ImageResult[]): Promise<void> {
    return this.#intake.save(batchId, results);
  }

  count(batchId: string): number {
    return this.#rows.changes.count(batchId);
  }

  finish(batchId: string): void {
    this.#intake.finish(batchId);
  }

  listOrphanedFrames(): OrphanedFrame[] {
    return this.#rows.orphanedFrames.list();
  }

  forgetOrphanedFrames(frames: FrameFile[]): void {
    this.#rows.orphanedFrames.forget(frames);
  }
}
