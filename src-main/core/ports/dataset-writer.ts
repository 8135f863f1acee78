import type { EntityType } from '../../contract/schemas/explore.ts';
import type { BoxCursor, BoxResult, ImageOfBoxes } from './boxes.ts';
import type { ChangeWriter } from './change-writer.ts';
import type {
  FetchResult,
  FileCursor,
  FileProblemKind,
  NewFile,
  NewVideo,
  PendingFile,
  RemoteFile,
} from './dataset-files.ts';
import type { BatchRow, SourceRow } from './dataset-sources.ts';
import type { DuplicateWriter } from './duplicates.ts';
import type { EditWriter } from './edits.ts';
import type { EnrichmentWriter } from './enrichment-writer.ts';
import type { IndexEntry, IndexFiles } from './index-files.ts';
import type { ImageResult } from './local-jobs.ts';
import type { MetadataWriter } from './metadata.ts';
import type { ProjectionWriter } from './projection.ts';
import type { RepairWriter } from './repair-writer.ts';
import type { EmbeddingSpace, VectorSpace } from './vector-space.ts';

/**
 * Changes a dataset, one call after the other, and lists what is left to do of the work that it takes in. What a call has done is committed
 * when it answers.
 */
export interface DatasetWriter
  extends ChangeWriter,
    EnrichmentWriter,
    EditWriter,
    RepairWriter,
    DuplicateWriter,
    ProjectionWriter,
    MetadataWriter {
  addSource(source: SourceRow): Promise<void>;
  /** The source of a folder: the one that has this root, else a new one. */
  ensureFolderSource(root: string): Promise<string>;
  addBatch(batch: BatchRow): Promise<void>;
  /** Removes a batch whose items were never published, with all that was saved of it; `keep_errors` leaves its files that failed. */
  discardBatch(batchId: string, keepErrors: boolean): Promise<void>;
  /**
   * Adds files that are not known yet by path; known ones are left as they are, but for those that failed: they go over to the batch and
   * are read again. Returns how many were new.
   */
  addFiles(batchId: string, files: NewFile[]): Promise<number>;
  /** Adds uploaded files: a taken path gets a number unless the content is the same. */
  addUploads(batchId: string, files: NewFile[]): Promise<number>;
  /** Chooses what makes the vectors of a space, before the first result; what is chosen stays. */
  openVectorSpace(space: EmbeddingSpace, made: VectorSpace): Promise<void>;
  /** Which of these paths the batch has already. */
  knownPaths(batchId: string, filePaths: string[]): Promise<string[]>;
  /** Files of a batch still to be fetched, in order of path. */
  listRemote(batchId: string, after: FileCursor, limit: number): Promise<RemoteFile[]>;
  saveFetched(results: FetchResult[]): Promise<void>;
  /** Files of a batch still to be read, in order of path. */
  listPending(batchId: string, kind: 'image' | 'video', after: FileCursor, limit: number): Promise<PendingFile[]>;
  /**
   * Marks a video as read and adds its frames as files still to be read, in one transaction. A video that was read before keeps its id,
   * and so do its frames by number; frames that it has no more are missing.
   */
  saveVideo(video: NewVideo, frames: NewFile[]): Promise<void>;
  /** A video that cannot be read any more loses its frames until it can. */
  failFile(fileId: number, kind: FileProblemKind, reason: string): Promise<void>;
  /**
   * Writes vectors and thumbnails, then the rows, in one transaction. Safe to repeat: results of files no longer pending are ignored.
   * A file that is an item already keeps its id, and its row unless its content is new.
   */
  saveResults(results: ImageResult[]): Promise<void>;
  /**
   * Makes ready to read the annotation files of a batch; what an earlier run read of them is forgotten.
   * @returns How many sets of annotations there are to read; 0 when all are read.
   */
  beginAnnotations(batchId: string): Promise<number>;
  /** Reads and saves the next page of what {@link beginAnnotations} found. */
  readAnnotations(batchId: string): Promise<{ n_rows: number; finished: boolean }>;
  /** Boxes of a batch that wait to be described, image by image. */
  listBoxes(batchId: string, after: BoxCursor, limit: number): Promise<{ images: ImageOfBoxes[]; after: BoxCursor }>;
  countBoxes(batchId: string): Promise<number>;
  /** Turns boxes into objects as {@link saveResults} does files into items; those that failed become annotation problems. */
  saveBoxes(results: BoxResult[]): Promise<void>;
  /** Makes failed files of a batch pending again (a retry reads them once more). */
  retryFailed(batchId: string): Promise<number>;
  /** Where the next index job works. */
  prepareIndex(space: EmbeddingSpace, entityType: EntityType): Promise<IndexFiles>;
  /**
   * Switches reads to the finished indexes in one transaction, makes all saved rows visible and removes the objects that they take the
   * place of.
   */
  publishIndex(entries: IndexEntry[]): Promise<void>;
}
