/** A source of a dataset's files: a folder that is read in place, or originals stored below the data folder. */
export interface SourceRow {
  source_id: string;
  kind: 'folder' | 'stored';
  /** Absolute path for `folder`; relative to the data folder for `stored`. */
  root: string;
}

export interface SourceSummary extends SourceRow {
  n_files: number;
}

export type BatchKind = 'folder' | 'upload' | 'archive' | 'objects' | 'manifest' | 'watch';

export interface BatchRow {
  batch_id: string;
  /** Default source of the batch's files. */
  source_id: string;
  kind: BatchKind;
}

/** A batch with the number of its files by result. */
export interface BatchSummary extends BatchRow {
  created_at: string;
  n_files: number;
  n_done: number;
  n_failed: number;
}
