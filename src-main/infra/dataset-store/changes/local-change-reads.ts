import type { ChangeReads, SeenFile } from '../../../core/ports/changes.ts';
import type { FrameFile } from '../../../core/ports/dataset-files.ts';
import type { Answered } from '../../threads/answered.ts';
import type { OrphanedFramesRepository } from './orphaned-frames.repository.ts';
import type { WatchedFilesRepository } from './watched-files.repository.ts';

export class LocalChangeReads implements Answered<ChangeReads> {
  readonly #watched: WatchedFilesRepository;
  readonly #orphanedFrames: OrphanedFramesRepository;

  constructor(parts: { watched: WatchedFilesRepository; orphanedFrames: OrphanedFramesRepository }) {
    this.#watched = parts.watched;
    this.#orphanedFrames = parts.orphanedFrames;
  }

  listKnownFiles(sourceId: string, after: string, limit: number): SeenFile[] {
    return this.#watched.listKnown(sourceId, after, limit);
  }

  listUsedFrames(frames: FrameFile[]): FrameFile[] {
    return this.#orphanedFrames.listUsed(frames);
  }
}
