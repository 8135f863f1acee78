import type { ExportFormat, ExportInfo, SplitName } from '../../contract/schemas/export.ts';
import type { RowBits } from './edits.ts';
import type { IssueLimits } from './issue-limits.ts';

/** Rows of the items and objects to export. `objects` is null for all objects of these items. */
export interface ChosenItems {
  items: RowBits;
  objects: RowBits | null;
  n_items: number;
}

/** Split of items into sets such as train and test. The shares add up to 1. */
export interface Split {
  shares: Readonly<Record<SplitName, number>>;
  seed: number;
}

export interface ExportRequest {
  dataset_id: string;
  generation: number;
  chosen: ChosenItems;
  /** `media_ids` is the CSV of file names and ids. Without `is_archive` the export is the bare file of `manifest`, or the bare metadata file, instead of a ZIP archive. */
  format: ExportFormat | 'media_ids';
  is_archive: boolean;
  include_images: boolean;
  /** Clustering level of the exported `cluster_id`, 0 finest. */
  level: number;
  split: Split | null;
  limits: IssueLimits;
  info: Omit<ExportInfo, 'total_media_items'>;
}

/** A request for a URL of an item or object. */
export interface RequestedUrl {
  kind: 'media' | 'thumbnail';
  media_id: string;
  version: number;
}

export interface ExportWork {
  signal: AbortSignal;
  /** Returns signed URLs, in the order of the requests. */
  urlsOf: (requested: RequestedUrl[]) => string[];
  onProgress: (done: number, total: number) => void;
}

export interface MadeExport {
  n_items: number;
  size_bytes: number;
  /** Number of requested images whose files are missing. */
  n_missing: number;
}

/** Writes exports in separate threads, each from a consistent state of its dataset, and stores the files. */
export interface Exports {
  /**
   * Writes the file of an export atomically: an incomplete file is never visible.
   * @throws AppError `disk_full`; `unavailable` if it was aborted.
   */
  write(exportId: string, request: ExportRequest, work: ExportWork): Promise<MadeExport>;
  /** Writes an export to a file outside the folder of stored exports. */
  writeTo(file: string, request: ExportRequest, work: ExportWork): Promise<MadeExport>;
  pathOf(exportId: string): string;
  /** Deletes the files of an export, complete or not. */
  remove(exportId: string): Promise<void>;
  /** Deletes the files of all exports except those to keep. @returns Ids of the kept exports whose files are complete. */
  keepOnly(isKept: (exportId: string) => boolean): Promise<Set<string>>;
}
