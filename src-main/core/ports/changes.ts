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

export interface ChangeReads {
  /** Lists the files of a folder source that are recorded as present, unusable ones included, by path after a path. */
  listKnownFiles(sourceId: string, after: string, limit: number): Promise<SeenFile[]>;
  /** Filters frames to those that the dataset shows, or will show again when their video is back. */
  listUsedFrames(frames: FrameFile[]): Promise<FrameFile[]>;
}

/** Imports changes that watched folders report. */
export interface ChangeWrites {
  /** Deletes changes that no batch will import any more. */
  clear(): Promise<void>;
  /** Records changes for a batch, without those that are recorded already. @returns The number of recorded changes. */
  add(
    batchId: string,
    sourceId: string,
    changes: { added_or_changed: readonly SeenFile[]; removed: readonly string[] },
  ): Promise<number>;
  /** Moves videos; new and changed ones become files of the batch, still to be read. */
  takeVideos(batchId: string): Promise<void>;
  /** Lists changed images whose size some item has: their content may be known. By `change_id`. */
  listSameSize(batchId: string, after: number, limit: number): Promise<ChangedFile[]>;
  /** Imports the changes whose content belongs to a missing item or to the item at the same path: moved, back, or only touched. */
  takeKnownContent(batchId: string, files: FileContent[]): Promise<void>;
  /** Lists changed images that are not yet read, keyed by change, by path. */
  listImages(batchId: string, after: FileCursor, limit: number): Promise<PendingFile[]>;
  /** As `intake.saveResults`, keyed by change. A changed image keeps its media id and gets a new row. */
  saveResults(batchId: string, results: ImageResult[]): Promise<void>;
  count(batchId: string): Promise<number>;
  /**
   * Call when the media of the batch are in. New and changed annotation files become files of the batch with all others of its folder,
   * to be read by `annotations.begin`; so do they when they name media that came with the batch. What a removed
   * annotation file said stays.
   */
  takeAnnotations(batchId: string): Promise<void>;
  /** Marks what was removed and has not turned up elsewhere as missing. */
  finish(batchId: string): Promise<void>;
  /** Lists frame images of replaced video content, until {@link forgetOrphanedFrames}. */
  listOrphanedFrames(): Promise<OrphanedFrame[]>;
  forgetOrphanedFrames(frames: FrameFile[]): Promise<void>;
}
