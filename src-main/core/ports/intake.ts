import type { Message } from '../../contract/messages.ts';
import type {
  FetchResult,
  FileCursor,
  FileErrorRow,
  FileProblemKind,
  NewFile,
  NewVideo,
  PendingFile,
  RemoteFile,
} from './dataset-files.ts';
import type { BatchRow, BatchSummary, SourceRow, SourceSummary } from './dataset-sources.ts';
import type { ImageResult } from './local-jobs.ts';
import type { StoreMethods } from './store-methods.ts';

/** Reads sources, batches and files. */
export interface IntakeReads {
  listSources(): Promise<SourceSummary[]>;
  /** Returns a sample of the locations of a source's files that are recorded as present, evenly spaced over all of them. */
  sampleLocations(sourceId: string, limit: number): Promise<string[]>;
  listBatches(): Promise<BatchSummary[]>;
  /** Lists file errors of the whole dataset, or of one batch; `by_kind` counts errors of all kinds, whatever `kind` filters. */
  listFileErrors(query: {
    kind: FileProblemKind | null;
    batch_id: string | null;
    offset: number;
    limit: number;
  }): Promise<{
    file_errors: FileErrorRow[];
    total: number;
    by_kind: Record<string, number>;
  }>;
  /** Adds up the sizes of the stored originals: uploads, fetched files and video frames. */
  countStoredBytes(): Promise<number>;
  /** Counts the rows that a failed batch left unfinished: items and objects that are not indexed, and pending boxes. */
  countUnfinished(): Promise<number>;
}

/** Adds sources, batches and files, and turns files into items. */
export interface IntakeWrites {
  /**
   * Moves everything that was written from the write-ahead log to the database file. Call before a checkpoint of a task says that it is
   * there: a lost or damaged log then costs only work that the task does again.
   */
  settle(): Promise<void>;
  addSource(source: SourceRow): Promise<void>;
  /** Finds the folder source with this root, or adds one. @returns Its id. */
  ensureFolderSource(root: string): Promise<string>;
  moveSource(sourceId: string, root: string): Promise<void>;
  addBatch(batch: BatchRow): Promise<void>;
  /**
   * Deletes a batch whose items were never published, with all rows saved for it.
   * @param keepErrors Whether to keep the records of its failed files.
   */
  discardBatch(batchId: string, keepErrors: boolean): Promise<void>;
  /**
   * Adds files whose path is not known yet. Known files are unchanged, except failed ones: these move to this batch and are read again.
   * @returns The number of new files.
   */
  addFiles(batchId: string, files: NewFile[]): Promise<number>;
  /**
   * Adds uploaded files. A path that is already used gets a number appended, unless the content is the same.
   * @returns The number of new files.
   */
  addUploads(batchId: string, files: NewFile[]): Promise<number>;
  /** Returns the paths that the batch already contains. */
  knownPaths(batchId: string, filePaths: string[]): Promise<string[]>;
  /** Lists files of a batch that are not fetched yet, in the order of their paths. */
  listRemote(batchId: string, after: FileCursor, limit: number): Promise<RemoteFile[]>;
  saveFetched(results: FetchResult[]): Promise<void>;
  /** Lists files of a batch that are not read yet, in the order of their paths. */
  listPending(batchId: string, kind: 'image' | 'video', after: FileCursor, limit: number): Promise<PendingFile[]>;
  /**
   * Marks a video as read and adds its frames as pending files, in one transaction. A video that was read before keeps its id, and frames
   * with the same number keep theirs. Frames that no longer exist are marked as missing.
   */
  saveVideo(video: NewVideo, frames: NewFile[]): Promise<void>;
  /** Records a failed file. The frames of a video that cannot be read are hidden until it can be read again. */
  failFile(fileId: number, kind: FileProblemKind, reason: Message): Promise<void>;
  /**
   * Writes vectors and thumbnails, then the rows, in one transaction. Safe to repeat: results of files that are no longer pending are
   * ignored. A file that is already an item keeps its id; it keeps its row unless its content has changed.
   */
  saveResults(results: ImageResult[]): Promise<void>;
  /** Makes the failed files of a batch pending again. @returns Their number. */
  retryFailed(batchId: string): Promise<number>;
}

export const intakeMethods: StoreMethods<IntakeReads, IntakeWrites> = {
  listSources: 'read',
  sampleLocations: 'read',
  listBatches: 'read',
  listFileErrors: 'read',
  countStoredBytes: 'read',
  countUnfinished: 'read',
  settle: 'write',
  addSource: 'write',
  ensureFolderSource: 'write',
  moveSource: 'write',
  addBatch: 'write',
  discardBatch: 'write',
  addFiles: 'write',
  addUploads: 'write',
  knownPaths: 'write',
  listRemote: 'write',
  saveFetched: 'write',
  listPending: 'write',
  saveVideo: 'write',
  failFile: 'write',
  saveResults: 'write',
  retryFailed: 'write',
};
