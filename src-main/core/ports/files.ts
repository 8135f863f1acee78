import type { Readable } from 'node:stream';
import type { NewFile } from './dataset-files.ts';

/** What the core asks of folders on this machine. */
export interface LocalFolders {
  /**
   * Makes sure that a folder can be read and holds media somewhere below.
   * @param location An absolute path or a `file://` URL. Returns the folder's canonical absolute path.
   * @throws AppError `invalid_request` saying what is wrong: relative, missing, not a folder, unreadable, the app's own data, no media.
   */
  inspect(location: string): Promise<string>;
  /**
   * Media and annotation files below a folder in batches, in no particular order. Hidden and system entries and the app's own data are
   * skipped, symbolic links followed without looping; what cannot be entered or has no usable name comes as a file with a problem.
   * @throws AppError `storage_failed` when the folder itself is gone; AbortError.
   */
  walk(folder: string, signal: AbortSignal): AsyncIterable<NewFile[]>;
  /** As {@link inspect}, whatever is in the folder. */
  locate(location: string): Promise<string>;
  /** Whether a folder is there now. */
  isThere(folder: string): Promise<boolean>;
  /** Whether a file is there and can be read. */
  isReadable(path: string): Promise<boolean>;
  /** How many of some files below a folder are there. */
  countFiles(folder: string, filePaths: readonly string[]): Promise<number>;
  /** What a file holds; undefined when it cannot be read or changes meanwhile. @throws AbortError. */
  readContent(
    path: string,
    signal: AbortSignal,
  ): Promise<{ content_hash: string; size_bytes: number; mtime_ms: number } | undefined>;
  /** What is directly inside a folder, to choose one. @throws AppError `invalid_request`. */
  list(location: string | undefined): Promise<{
    path: string;
    parent: string | null;
    folders: { name: string; path: string }[];
    n_media: number;
  }>;
}

export interface KeptFile {
  /** Relative to the batch's folder. */
  location: string;
  size_bytes: number;
  mtime_ms: number;
}

/** Originals that were handed over, kept by content in one folder a batch below the data folder. */
export interface KeptOriginals {
  /** The batch's folder relative to the data folder: the root of a `stored` source. */
  root(batchId: string): string;
  /**
   * Takes a file into the batch: moved when owned, else copied. The same content twice is one file.
   * @param file `content_hash`: its SHA-256 in hexadecimal, where that is known already.
   * @throws AppError `disk_full`.
   */
  keep(
    batchId: string,
    file: { path: string; file_name: string; owned: boolean; content_hash?: string | undefined },
  ): Promise<KeptFile>;
  /** The same for content that is being received. */
  keepStream(batchId: string, content: Readable, fileName: string): Promise<KeptFile>;
  /** Takes a file into the batch's folder under a name of ours, to be removed again later. */
  take(batchId: string, file: { path: string; owned: boolean }, name: string): Promise<void>;
  /** Deletes the batch's folder, if there is one. */
  remove(batchId: string): Promise<void>;
  /** Deletes files of the batch, and the folders that this leaves empty. */
  removeFiles(batchId: string, locations: readonly string[]): Promise<void>;
  /** Batches that have a folder. */
  list(): Promise<string[]>;
  /** How many files of a batch are not what they are named by. @throws AbortError. */
  countDamaged(batchId: string, signal: AbortSignal): Promise<number>;
  /** Moves a batch's folder out of the way; an empty one is deleted. @returns Where to, below the data folder. */
  setAside(batchId: string): Promise<string | undefined>;
}

/** What a file is to a dataset, told by its relative path; undefined for files that are none of its business. */
export type FileKindOf = (filePath: string) => NewFile['kind'] | undefined;

/** The formats of the interface, told by name. */
export interface MediaNames {
  isImage(fileName: string): boolean;
  isVideo(fileName: string): boolean;
}
