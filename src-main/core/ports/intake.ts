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

/** Reads sources, batches and files. */
export interface IntakeReads {
  listSources(): Promise<SourceSummary[]>;
  /** Locations of some files of a source that are recorded as present, spread evenly over all of them. */
  sampleLocations(sourceId: string, limit: number): Promise<string[]>;
  listBatches(): Promise<BatchSummary[]>;
  /** Lists file errors of the whole dataset, or of one batch; `by_kind` counts them without regard to `kind`. */
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
  /** Number of rows that a failed batch left unfinished: items and objects that are not indexed, and boxes that wait. */
  countUnfinished(): Promise<number>;
}

/** Adds sources, batches and files, and turns files into items. */
export interface IntakeWrites {
  addSource(source: SourceRow): Promise<void>;
  /** Finds the folder source with this root, or adds one. @returns Its id. */
  ensureFolderSource(root: string): Promise<string>;
  moveSource(sourceId: string, root: string): Promise<void>;
  addBatch(batch: BatchRow): Promise<void>;
  /** Deletes a batch whose items were never published, with all rows saved for it; `keepErrors` keeps its failed files. */
  discardBatch(batchId: string, keepErrors: boolean): Promise<void>;
  /**
   * Adds files whose path is not known yet. Known files stay as they are, except failed ones: they move to this batch and are read
   * again. @returns The number of new files.
   */
  addFiles(batchId: string, files: NewFile[]): Promise<number>;
  /** Adds uploaded files. A path that is taken gets a number, unless the content is the same. @returns The number of new files. */
  addUploads(batchId: string, files: NewFile[]): Promise<number>;
  /** Filters paths to those that the batch has already. */
  knownPaths(batchId: string, filePaths: string[]): Promise<string[]>;
  /** Lists files of a batch that are not fetched yet, by path. */
  listRemote(batchId: string, after: FileCursor, limit: number): Promise<RemoteFile[]>;
  saveFetched(results: FetchResult[]): Promise<void>;
  /** Lists files of a batch that are not read yet, by path. */
  listPending(batchId: string, kind: 'image' | 'video', after: FileCursor, limit: number): Promise<PendingFile[]>;
  /**
   * Marks a video as read and adds its frames as pending files, in one transaction. A video that was read before keeps its id, and its
   * frames keep theirs by number; frames that it no longer has are missing.
   */
  saveVideo(video: NewVideo, frames: NewFile[]): Promise<void>;
  /** Records a failed file. A video that cannot be read loses its frames until it can. */
  failFile(fileId: number, kind: FileProblemKind, reason: string): Promise<void>;
  /**
   * Writes vectors and thumbnails, then the rows, in one transaction. Safe to repeat: results of files that are no longer pending are
   * ignored. A file that is an item already keeps its id, and its row unless its content is new.
   */
  saveResults(results: ImageResult[]): Promise<void>;
  /** Makes the failed files of a batch pending again. @returns Their number. */
  retryFailed(batchId: string): Promise<number>;
}
