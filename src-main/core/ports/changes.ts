import type { FileCursor, FrameFile, OrphanedFrame, PendingFile } from './dataset-files.ts';
import type { ImageResult } from './local-jobs.ts';
import type { StoreMethods } from './store-methods.ts';

/** Path, size and modification time of a file as last seen in its watched folder. */
export interface SeenFile {
  file_path: string;
  size_bytes: number;
  mtime_ms: number;
}

/** A changed file. `change_id` is the cursor of lists of changes. */
export interface ChangedFile {
  change_id: number;
  /** Absolute path to read. */
  path: string;
}

/** Content hash, size and modification time of a changed file, read without decoding it. */
export interface FileContent {
  change_id: number;
  content_hash: string;
  size_bytes: number;
  mtime_ms: number;
}

export interface ChangeReads {
  /**
   * Lists the files of a folder source that are recorded as present, including unusable files, in the order of their paths.
   * @param after Path after which the list starts.
   */
  listKnownFiles(sourceId: string, after: string, limit: number): Promise<SeenFile[]>;
  /** Returns the frames that the dataset shows, and those that it shows again once their missing video returns. */
  listUsedFrames(frames: FrameFile[]): Promise<FrameFile[]>;
}

/** Imports changes reported by watched folders. */
export interface ChangeWrites {
  /** Deletes changes that no batch imports any more. */
  clear(): Promise<void>;
  /** Records changes for a batch, except those already recorded. @returns The number of recorded changes. */
  add(
    batchId: string,
    sourceId: string,
    changes: { added_or_changed: readonly SeenFile[]; removed: readonly string[] },
  ): Promise<number>;
  /** Imports changes of videos: updates the paths of moved videos and adds new and changed videos to the batch as pending files. */
  takeVideos(batchId: string): Promise<void>;
  /** Lists changed images with the same byte size as some item, because their content may be known, in the order of `change_id`. */
  listSameSize(batchId: string, after: number, limit: number): Promise<ChangedFile[]>;
  /**
   * Imports the changes whose content belongs to a missing item or to the item at the same path: files that were moved, returned, or only
   * got another modification time.
   */
  takeKnownContent(batchId: string, files: FileContent[]): Promise<void>;
  /** Lists changed images that are not read yet, keyed by `change_id`, in the order of their paths. */
  listImages(batchId: string, after: FileCursor, limit: number): Promise<PendingFile[]>;
  /** Like `intake.saveResults`, but keyed by `change_id`. A changed image keeps its media id and gets a new row. */
  saveResults(batchId: string, results: ImageResult[]): Promise<void>;
  count(batchId: string): Promise<number>;
  /**
   * Adds new and changed annotation files to the batch, with all others of their folder, for `annotations.begin` to read. Annotation files
   * that name media of the batch are added too. Annotations of a removed file stay. Call after the media of the batch are imported.
   */
  takeAnnotations(batchId: string): Promise<void>;
  /** Marks removed files as missing, unless their content was found at another path. */
  finish(batchId: string): Promise<void>;
  /** Lists frame images of replaced video content that {@link forgetOrphanedFrames} has not removed from the list. */
  listOrphanedFrames(): Promise<OrphanedFrame[]>;
  forgetOrphanedFrames(frames: FrameFile[]): Promise<void>;
}

export const changeMethods: StoreMethods<ChangeReads, ChangeWrites> = {
  listKnownFiles: 'read',
  listUsedFrames: 'read',
  clear: 'write',
  add: 'write',
  takeVideos: 'write',
  listSameSize: 'write',
  takeKnownContent: 'write',
  listImages: 'write',
  saveResults: 'write',
  count: 'write',
  takeAnnotations: 'write',
  finish: 'write',
  listOrphanedFrames: 'write',
  forgetOrphanedFrames: 'write',
};
