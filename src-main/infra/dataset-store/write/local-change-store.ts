import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { ImageResult } from '../../../core/ports/compute.ts';
import type {
  ChangedFile,
  ChangeStore,
  FileContent,
  FileCursor,
  FrameFile,
  PendingFile,
  SeenFile,
  SourceSummary,
} from '../../../core/ports/dataset-store.ts';
import type { IndexReader } from '../read/index-reader.ts';
import { ChangeRepository } from '../rows/change.repository.ts';
import { FormerFramesRepository } from '../rows/former-frames.repository.ts';
import { SourceRepository } from '../rows/source.repository.ts';
import { WatchedFilesRepository } from '../rows/watched-files.repository.ts';
import { ChangeIntake, type ChangeIntakeParts } from './change-intake.ts';

type Local = {
  [Name in keyof ChangeStore]: (...args: Parameters<ChangeStore[Name]>) => Awaited<ReturnType<ChangeStore[Name]>>;
};

type Parts = Omit<ChangeIntakeParts, 'changes' | 'watched'> & { data_folder: string; index: IndexReader };

/** What a store answers about watched folders and the places of its files. */
export class LocalChangeStore implements Local {
  readonly #parts: Parts;
  readonly #changes: ChangeRepository;
  readonly #watched: WatchedFilesRepository;
  readonly #sources: SourceRepository;
  readonly #intake: ChangeIntake;
  readonly #former_frames: FormerFramesRepository;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#changes = new ChangeRepository(parts.db, parts.data_folder);
    this.#watched = new WatchedFilesRepository(parts.db, parts.data_folder);
    this.#sources = new SourceRepository(parts.db);
    this.#former_frames = new FormerFramesRepository(parts.db);
    this.#intake = new ChangeIntake({ ...parts, changes: this.#changes, watched: this.#watched });
  }

  listKnownFiles(source_id: string, after: string, limit: number): SeenFile[] {
    return this.#watched.listKnown(source_id, after, limit);
  }

  clearChanges(): void {
    this.#changes.clear();
  }

  addChanges(
    batch_id: string,
    source_id: string,
    changes: { added_or_changed: readonly SeenFile[]; removed: readonly string[] },
  ): number {
    return this.#intake.add(batch_id, source_id, changes);
  }

  takeVideoChanges(batch_id: string): void {
    this.#intake.takeVideos(batch_id);
  }

  takeAnnotationChanges(batch_id: string): void {
    this.#intake.takeAnnotations(batch_id);
  }

  listSameSize(batch_id: string, after: number, limit: number): ChangedFile[] {
    return this.#changes.listSameSize(batch_id, after, limit);
  }

  takeKnownContent(batch_id: string, files: FileContent[]): void {
    this.#intake.takeKnownContent(batch_id, files);
  }

  listChanged(batch_id: string, after: FileCursor, limit: number): PendingFile[] {
    return this.#changes.listPictures(batch_id, after, limit);
  }

  saveChanged(batch_id: string, results: ImageResult[]): void {
    this.#intake.save(batch_id, results);
  }

  countChanges(batch_id: string): number {
    return this.#changes.count(batch_id);
  }

  finishChanges(batch_id: string): void {
    this.#intake.finish(batch_id);
  }

  listFormerFrames(): FrameFile[] {
    return this.#former_frames.list();
  }

  listUsedFrames(frames: FrameFile[]): FrameFile[] {
    return this.#former_frames.listUsed(frames);
  }

  forgetFormerFrames(frames: FrameFile[]): void {
    this.#former_frames.forget(frames);
  }

  countUnindexed(entity_type: EntityType): number {
    const { media, objects, live, index } = this.#parts;
    const clusters = index.clusters(entity_type, 0);
    const alive = live.mask(entity_type, entity_type === 'IMAGES' ? media.count() : objects.rows());
    return alive.reduce((n, is_alive, row) => n + (is_alive === 1 && (clusters?.clusterOf(row) ?? -1) < 0 ? 1 : 0), 0);
  }

  countUnfinished(): number {
    return this.countUnindexed('IMAGES') + this.countUnindexed('OBJECTS') + this.#parts.objects.countOfWatches();
  }

  listSources(): SourceSummary[] {
    return this.#sources.list();
  }

  sampleLocations(source_id: string, limit: number): string[] {
    return this.#sources.sample(source_id, limit);
  }

  moveSource(source_id: string, root: string): void {
    this.#sources.move(source_id, root);
  }
}
