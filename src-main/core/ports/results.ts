import type { Message } from '../../contract/messages.ts';
import type { ResultKind, ResultManifest, ResultPart } from '../../contract/schemas/results.ts';
import type { StoreMethods } from './store-methods.ts';

/** Reads results that were computed elsewhere, from a folder or from object storage. */
export interface ResultSources {
  /**
   * Reads the manifest of a location. Only fast checks are made.
   * @throws AppError `invalid_request` (nothing there, no valid manifest), `forbidden`, `storage_failed`; AbortError.
   */
  open(at: ResultLocation, signal: AbortSignal): Promise<ResultFolder>;
}

export interface ResultLocation {
  /** Absolute path or `file://` of a folder, or `s3://` with a prefix. */
  location: string;
  assume_role: string | null;
}

export interface ResultFolder {
  manifest: ResultManifest;
  /** SHA-256 of the manifest in hexadecimal. */
  manifest_sha256: string;
  /**
   * Runs work with the local path of a file of the folder. A file of object storage is fetched first and deleted afterwards.
   * @param work Receives undefined if the file is missing.
   */
  withFile<T>(file: string, work: (path: string | undefined) => Promise<T>): Promise<T>;
}

/** An import of results into one dataset. */
export interface ResultImport {
  /** The task's id, which is the batch id of what is imported. */
  import_id: string;
  manifest_sha256: string;
  kind: ResultKind;
  model_id: string;
  /** Length of the vectors; 0 for other kinds. */
  dim: number;
  /** Whether a new space is one of objects too: their vectors are then computed here. */
  with_objects: boolean;
  /** Labels of COCO results by category id. */
  categories: Readonly<Record<string, string>>;
}

/** A reason why a row of results cannot be imported. */
export type RowProblem =
  | 'unknown'
  | 'doubled'
  | 'not_vectors'
  | 'not_finite'
  | 'zero'
  | 'without_text'
  | 'bad_confidence'
  | 'bad_box';

/** A reason, the number of rows that it concerns, and the first of these. Rows are numbered from 1. */
export interface RowProblemCount {
  problem: RowProblem;
  n: number;
  file: string;
  row: number;
}

/**
 * Imports results in two passes: `readPart` checks and stores each part beside the dataset, where nothing reads it; then `saveNext` and
 * `saveAnnotations` move all of it into the dataset. Staged parts survive the end of the process.
 */
export interface ResultWrites {
  /** Begins or continues an import. @returns The number of parts that are already staged. */
  begin(of: ResultImport): Promise<{ n_staged: number }>;
  /**
   * Begins to open the next part, also while the one before is read.
   * @param path Undefined if the file is missing.
   */
  openPart(part: ResultPart & { path: string | undefined }): Promise<void>;
  /**
   * Checks and stages the next rows of the first open part, and before them the part's hash, columns and number of rows. A part that cannot
   * be read at all is finished at once.
   * @returns The number of rows read of this part.
   */
  readPart(): Promise<{ n_read: number; finished: boolean }>;
  /** Lists what is wrong with the staged parts. */
  listProblems(): Promise<{ parts: Message[]; rows: RowProblemCount[]; n_rows: number }>;
  /**
   * Stores the next staged vectors. In a space that is being added, all are stored; in a finished space only those of items that have no
   * vector. After the last ones, rows without a vector are recorded as processed.
   */
  saveNext(): Promise<{ n_done: number; finished: boolean }>;
  /** Counts the vectors of items in the `meaning` space, and the staged ones that were not stored because the item has one. */
  countVectors(): Promise<{ n_vectors: number; n_kept: number }>;
  /** Stores the staged labels, boxes or captions in one transaction. They replace those of the same model for the same items. */
  saveAnnotations(): Promise<void>;
  /** Reverts what the import stored in the dataset, except labels and captions, and deletes the staged parts. */
  undo(of: ResultImport): Promise<void>;
  /** Closes the open parts. The staged parts stay. */
  pause(): Promise<void>;
  /** Deletes the staged parts of all imports. */
  end(): Promise<void>;
}

export const resultMethods: StoreMethods<object, ResultWrites> = {
  begin: 'write',
  openPart: 'write',
  readPart: 'write',
  listProblems: 'write',
  saveNext: 'write',
  countVectors: 'write',
  saveAnnotations: 'write',
  undo: 'write',
  pause: 'write',
  end: 'write',
};
