import type { ChangedFile, ChangeWriter, FileContent, SeenFile } from '../../../core/ports/change-writer.ts';
import type { ImageResult } from '../../../core/ports/compute.ts';
import type { FileCursor, FrameFile, PendingFile } from '../../../core/ports/dataset-files.ts';
import type { Answered } from '../../threads/answered.ts';
import { ChangeRepository } from '../rows/change.repository.ts';
import { FormerFramesRepository } from '../rows/former-frames.repository.ts';
import { SourceRepository } from '../rows/source.repository.ts';
import { WatchedFilesRepository } from '../rows/watched-files.repository.ts';
import { ChangeIntake, type ChangeIntakeParts } from './change-intake.ts';

type Parts = Omit<ChangeIntakeParts, 'changes' | 'watched'> & { dataFolder: string };

/** Takes in what watched folders tell of, and where the files of a dataset are now. */
export class LocalChangeWriter implements Answered<ChangeWriter> {
  readonly #changes: ChangeRepository;
  readonly #watched: WatchedFilesRepository;
  readonly #sources: SourceRepository;
  readonly #intake: ChangeIntake;
  readonly #formerFrames: FormerFramesRepository;

  constructor(parts: Parts) {
    this.#changes = new ChangeRepository(parts.db, parts.dataFolder);
    this.#watched = new WatchedFilesRepository(parts.db, parts.dataFolder);
    this.#sources = new SourceRepository(parts.db);
    this.#formerFrames = new FormerFramesRepository(parts.db);
    this.#intake = new ChangeIntake({ ...parts, changes: this.#changes, watched: this.#watched });
  }

  clearChanges(): void {
    this.#changes.clear();
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
    return this.#changes.listSameSize(batchId, after, limit);
  }

  takeKnownContent(batchId: string, files: FileContent[]): void {
    this.#intake.takeKnownContent(batchId, files);
  }

  listChanged(batchId: string, after: FileCursor, limit: number): PendingFile[] {
    return this.#changes.listPictures(batchId, after, limit);
  }

  saveChanged(batchId: string, results: ImageResult[]): void {
    this.#intake.save(batchId, results);
  }

  countChanges(batchId: string): number {
    return this.#changes.count(batchId);
  }

  finishChanges(batchId: string): void {
    this.#intake.finish(batchId);
  }

  listFormerFrames(): FrameFile[] {
    return this.#formerFrames.list();
  }

  forgetFormerFrames(frames: FrameFile[]): void {
    this.#formerFrames.forget(frames);
  }

  moveSource(sourceId: string, root: string): void {
    this.#sources.move(sourceId, root);
  }
}
