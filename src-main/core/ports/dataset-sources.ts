/** Where files of a dataset come from: a folder referenced in place, or originals kept below the data folder. */
export interface SourceRow {
  source_id: string;
  kind: 'folder' | 'stored';
  /** Absolute for `folder`; relative to the data folder for `stored`. */
  root: string;
}

export interface SourceSummary extends SourceRow {
  n_files: number;
}

export type BatchKind = 'folder' | 'upload' | 'archive' | 'objects' | 'manifest' | 'watch';

export interface BatchRow {
  batch_id: string;
  /** Where its files are unless a file says otherwise. */
  source_id: string;
  kind: BatchKind;
}

/** A batch as it is shown: files by what became of them. */
export interface BatchSummary extends BatchRow {
  created_at: string;
  n_files: number;
  n_done: number;
  n_failed: number;
}
