import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { Message } from '../../../contract/messages.ts';
import type {
  FetchResult,
  FileCursor,
  FileProblemKind,
  NewFile,
  NewVideo,
  PendingFile,
  RemoteFile,
} from '../../../core/ports/dataset-files.ts';
import type { BatchRow, SourceRow } from '../../../core/ports/dataset-sources.ts';
import type { IntakeWrites } from '../../../core/ports/intake.ts';
import type { ImageResult } from '../../../core/ports/local-jobs.ts';
import { systemClock } from '../../clock.ts';
import type { Answered } from '../../threads/answered.ts';
import type { WriterRows } from '../thread/writer-rows.ts';
import type { ItemStore } from './item-store.ts';

interface Parts {
  db: Database.Database;
  rows: Pick<WriterRows, 'sources' | 'batches' | 'files'>;
  items: ItemStore;
  discardBatch: (batchId: string, keepErrors: boolean) => Promise<void>;
}

export class LocalIntakeWrites implements Answered<IntakeWrites> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  settle(): void {
    // Waits for readers of an older state, which are short.
    this.#parts.db.pragma('wal_checkpoint(TRUNCATE)');
  }

  addSource(source: SourceRow): void {
    this.#parts.rows.sources.add(source);
  }

  ensureFolderSource(root: string): string {
    const { sources } = this.#parts.rows;
    const known = sources.findFolder(root);
    if (known !== undefined) return known;
    const sourceId = randomUUID();
    sources.add({ source_id: sourceId, kind: 'folder', root });
    return sourceId;
  }

  moveSource(sourceId: string, root: string): void {
    this.#parts.rows.sources.move(sourceId, root);
  }

  addBatch(batch: BatchRow): void {
    this.#parts.rows.batches.add(batch, systemClock.iso());
  }

  discardBatch(batchId: string, keepErrors: boolean): Promise<void> {
    return this.#parts.discardBatch(batchId, keepErrors);
  }

  addFiles(batchId: string, files: NewFile[]): number {
    return this.#parts.rows.files.addFiles(batchId, files);
  }

  addUploads(batchId: string, files: NewFile[]): number {
    return this.#parts.rows.files.addUploads(batchId, files);
  }

  knownPaths(batchId: string, filePaths: string[]): string[] {
    return this.#parts.rows.files.knownPaths(batchId, filePaths);
  }

  listRemote(batchId: string, after: FileCursor, limit: number): RemoteFile[] {
    return this.#parts.rows.files.listRemote(batchId, after, limit);
  }

  saveFetched(results: FetchResult[]): void {
    this.#parts.rows.files.saveFetched(results);
  }

  listPending(batchId: string, kind: 'image' | 'video', after: FileCursor, limit: number): PendingFile[] {
    return this.#parts.rows.files.listPending(batchId, kind, after, limit);
  }

  saveVideo(video: NewVideo, frames: NewFile[]): void {
    this.#parts.items.saveVideo(video, frames);
  }

  failFile(fileId: number, kind: FileProblemKind, reason: Message): void {
    this.#parts.items.failFile(fileId, kind, reason);
  }

  saveResults(results: ImageResult[]): Promise<void> {
    return this.#parts.items.saveResults(results);
  }

  retryFailed(batchId: string): number {
    return this.#parts.rows.files.retryFailed(batchId);
  }
}
