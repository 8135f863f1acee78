import type { FileCursor, FrameFile, OrphanedFrame, PendingFile } from './dataset-files.ts';
import type { ImageResult } from './local-jobs.ts';

/** A file of a watched folder, as it was seen. */
export interface SeenFile {
  file_path: string;
  size_bytes: number;
  mtime_ms: number;
}

/** Place after which a list of changes goes on, and where the bytes are. */
export interface ChangedFile {
  change_id: number;
  /** Absolute path to read. */
  path: string;
}

/** What a file holds, found without decoding it. */
export interface FileContent {
  change_id: number;
  content_hash: string;
  size_bytes: number;
  mtime_ms: number;
}

/** The part of a writer that takes in what watched folders tell of. */
export interface ChangeWriter {
  /** Forgets changes that no batch will take in any more. */
  clearChanges(): Promise<void>;
  /** Notes changes for a batch, leaving out those that are known already; returns how many are noted. */
  addChanges(
    batchId: string,
    sourceId: string,
    changes: { added_or_changed: readonly SeenFile[]; removed: readonly string[] },
  ): Promise<number>;
  /** Moves videos; new and changed ones become files of the batch, still to be read. */
  takeVideoChanges(batchId: string): Promise<void>;
  /** Changed images of a size that some item has: their content may be known. In order of `change_id`. */
  listSameSize(batchId: string, after: number, limit: number): Promise<ChangedFile[]>;
  /** Takes in the changes whose content an item has that is here no more or at the same path: moved, back, or only touched. */
  takeKnownContent(batchId: string, files: FileContent[]): Promise<void>;
  /** Changed images still to be read, keyed by change, in order of path. */
  listChanged(batchId: string, after: FileCursor, limit: number): Promise<PendingFile[]>;
  /** As {@link DatasetWriter.saveResults}, keyed by change. A changed image keeps its media id and gets a new row. */
  saveChanged(batchId: string, results: ImageResult[]): Promise<void>;
  countChanges(batchId: string): Promise<number>;
  /**
   * Call when the media of the batch are in. New and changed annotation files become files of the batch with all others of its folder,
   * to be read by {@link DatasetWriter.beginAnnotations}; so do they when they name media that came with the batch. What a removed
   * annotation file said stays.
   */
  takeAnnotationChanges(batchId: string): Promise<void>;
  /** Marks what was removed and has not turned up elsewhere as missing. */
  finishChanges(batchId: string): Promise<void>;
  /** Frame images of replaced video content, until {@link forgetOrphanedFrames}. */
  listOrphanedFrames(): Promise<OrphanedFrame[]>;
  forgetOrphanedFrames(frames: FrameFile[]): Promise<void>;
  moveSource(sourceId: string, root: string): Promise<void>;
}
