import type { Readable } from 'node:stream';
import type { NewFile } from './dataset-files.ts';
import type { ReadLimits } from './read-limits.ts';

/** Access to folders on this machine. */
export interface LocalFolders {
  /**
   * Checks that a folder is readable and contains media, directly or in subfolders.
   * @param location An absolute path or a `file://` URL.
   * @returns The folder's canonical absolute path.
   * @throws AppError `invalid_request` that names the problem: relative, missing, not a folder, unreadable, the app's own data, no media.
   */
  inspect(location: string): Promise<string>;
  /**
   * Yields media and annotation files below a folder in batches, in no particular order. Hidden files, system files and the app's own data
   * are skipped. Symbolic links are followed, without endless loops. Unreadable folders and files with unusable names are yielded with a
   * problem.
   * @throws AppError `storage_failed` when the folder itself is missing; AbortError.
   */
  walk(folder: string, signal: AbortSignal): AsyncIterable<NewFile[]>;
  /** Like {@link inspect}, but does not require media. */
  locate(location: string): Promise<string>;
  /** Whether a folder exists. */
  isThere(folder: string): Promise<boolean>;
  /** Whether a file exists and can be read. */
  isReadable(path: string): Promise<boolean>;
  /** Counts which of the given files below a folder exist. */
  countFiles(folder: string, filePaths: readonly string[]): Promise<number>;
  /**
   * Returns the content hash, size and modification time of a file; undefined if it cannot be read or changes while it is read.
   * @throws AbortError.
   */
  readContent(
    path: string,
    signal: AbortSignal,
  ): Promise<{ content_hash: string; size_bytes: number; mtime_ms: number } | undefined>;
  /** Lists the direct subfolders of a folder, for choosing a folder. @throws AppError `invalid_request`. */
  list(location: string | undefined): Promise<{
    path: string;
    parent: string | null;
    folders: { name: string; path: string }[];
    n_media: number;
  }>;
}

export interface StoredOriginal {
  /** Path relative to the batch's folder. */
  location: string;
  size_bytes: number;
  mtime_ms: number;
}

/** Stores originals that were handed over, such as uploads, in one folder per batch below the data folder. Files are named by content. */
export interface StoredOriginals {
  /** Returns the batch's folder relative to the data folder: the root of a `stored` source. */
  root(batchId: string): string;
  /**
   * Stores a file in the batch's folder: moves an owned file, copies others. Equal content is stored once.
   * @param file `content_hash`: the file's SHA-256 in hexadecimal, if known.
   * @throws AppError `disk_full`.
   */
  keep(
    batchId: string,
    file: { path: string; file_name: string; owned: boolean; content_hash?: string | undefined },
  ): Promise<StoredOriginal>;
  /** Like {@link keep}, for content that is being received. */
  keepStream(batchId: string, content: Readable, fileName: string): Promise<StoredOriginal>;
  /** Moves an owned file, or copies any other, into the batch's folder under the given name, for temporary use. */
  take(batchId: string, file: { path: string; owned: boolean }, name: string): Promise<void>;
  /** Deletes the batch's folder if it exists. */
  remove(batchId: string): Promise<void>;
  /** Deletes files of the batch, and the folders that become empty. */
  removeFiles(batchId: string, locations: readonly string[]): Promise<void>;
  /** Lists the ids of batches that have a folder. */
  list(): Promise<string[]>;
  /**
   * Lists the files of a batch whose content differs from the checksum in their name, by path relative to the data folder.
   * @throws AbortError.
   */
  listDamaged(batchId: string, limits: ReadLimits): Promise<string[]>;
  /** Moves a batch's folder aside; deletes it if it is empty. @returns The new path, relative to the data folder. */
  setAside(batchId: string): Promise<string | undefined>;
}

/** Returns the kind of a file by its relative path; undefined for files that datasets ignore. */
export type FileKindOf = (filePath: string) => NewFile['kind'] | undefined;

/** Recognises supported media formats by file name. */
export interface MediaNames {
  isImage(fileName: string): boolean;
  isVideo(fileName: string): boolean;
}
