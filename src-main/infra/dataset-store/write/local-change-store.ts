import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { ChangedFile, ChangeWriter, FileContent, SeenFile } from '../../../core/ports/change-writer.ts';
import type { ImageResult } from '../../../core/ports/compute.ts';
import type { FileCursor, FrameFile, PendingFile } from '../../../core/ports/dataset-files.ts';
import type { DatasetReader } from '../../../core/ports/dataset-reader.ts';
import type { SourceSummary } from '../../../core/ports/dataset-sources.ts';
import type { Answered } from '../../threads/answered.ts';
import type { IndexReader } from '../read/index-reader.ts';
import { ChangeRepository } from '../rows/change.repository.ts';
import { FormerFramesRepository } from '../rows/former-frames.repository.ts';
import { SourceRepository } from '../rows/source.repository.ts';
import { WatchedFilesRepository } from '../rows/watched-files.repository.ts';
import { ChangeIntake, type ChangeIntakeParts } from './change-intake.ts';

type Local = Answered<ChangeWriter> &
  Answered<
    DatasetReader,
    'listKnownFiles' | 'listUsedFrames' | 'countUnindexed' | 'countUnfinished' | 'listSources' | 'sampleLocations'
  >;

type Parts = Omit<ChangeIntakeParts, 'changes' | 'watched'> & { dataFolder: string; index: IndexReader };

/** What a store answers about watched folders and the places of its files. */
export class LocalChangeStore implements Local {
  readonly #parts: Parts;
  readonly #changes: ChangeRepository;
  readonly #watched: WatchedFilesRepository;
  readonly #sources: SourceRepository;
  readonly #intake: ChangeIntake;
  readonly #formerFrames: FormerFramesRepository;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#changes = new ChangeRepository(parts.db, parts.dataFolder);
    this.#watched = new WatchedFilesRepository(parts.db, parts.dataFolder);
    this.#sources = new SourceRepository(parts.db);
    this.#formerFrames = new FormerFramesRepository(parts.db);
    this.#intake = new ChangeIntake({ ...parts, changes: this.#changes, watched: this.#watched });
  }

  listKnownFiles(sourceId: string, after: string, limit: number): SeenFile[] {
    return this.#watched.listKnown(sourceId, after, limit);
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

  listUsedFrames(frames: FrameFile[]): FrameFile[] {
    return this.#formerFrames.listUsed(frames);
  }

  forgetFormerFrames(frames: FrameFile[]): void {
    this.#formerFrames.forget(frames);
  }

  countUnindexed(entityType: EntityType): number {
    const { media, objects, live, index } = this.#parts;
    const clusters = index.clusters(entityType, 0);
    const alive = live.mask(entityType, entityType === 'IMAGES' ? media.count() : objects.rows());
    return alive.reduce((n, isAlive, row) => n + (isAlive === 1 && (clusters?.clusterOf(row) ?? -1) < 0 ? 1 : 0), 0);
  }

  countUnfinished(): number {
    return this.countUnindexed('IMAGES') + this.countUnindexed('OBJECTS') + this.#parts.objects.countOfWatches();
  }

  listSources(): SourceSummary[] {
    return this.#sources.list();
  }

  sampleLocations(sourceId: string, limit: number): string[] {
    return this.#sources.sample(sourceId, limit);
  }

  moveSource(sourceId: string, root: string): void {
    this.#sources.move(sourceId, root);
  }
}
