import type { ExportFormat, ExportInfo, SplitName } from '../../contract/schemas/export.ts';
import type { RowBits } from './edits.ts';
import type { IssueLimits } from './issue-limits.ts';

/** Items that are exported: their rows, and which of their objects; null means all of these. */
export interface ChosenItems {
  items: RowBits;
  objects: RowBits | null;
  n_items: number;
}

/** How items are parted into sets. Shares add up to 1. */
export interface Split {
  shares: Readonly<Record<SplitName, number>>;
  seed: number;
}

export interface ExportRequest {
  dataset_id: string;
  generation: number;
  chosen: ChosenItems;
  /** `media_ids` is the CSV of file names and ids. Without `is_archive` what it makes is the bare metadata file, not a ZIP. */
  format: ExportFormat | 'media_ids';
  is_archive: boolean;
  include_images: boolean;
  /** Of `cluster_id`. */
  level: number;
  split: Split | null;
  limits: IssueLimits;
  info: Omit<ExportInfo, 'total_media_items'>;
}

/** An address that is wanted of an item or object. */
export interface WantedUrl {
  kind: 'media' | 'thumbnail';
  media_id: string;
  version: number;
}

export interface ExportWork {
  signal: AbortSignal;
  /** Signs addresses, in the order in which they are asked for. */
  urlsOf: (wanted: WantedUrl[]) => string[];
  onProgress: (done: number, total: number) => void;
}

export interface MadeExport {
  n_items: number;
  size_bytes: number;
  /** Images that were wanted and whose files are not there. */
  n_missing: number;
}

/** Writes exports, each from one moment of its dataset, in a thread of its own; and keeps their files. */
export interface Exports {
  /**
   * Writes the file of an export. It is there whole or not at all.
   * @throws AppError `disk_full`; `unavailable` once it was aborted.
   */
  write(exportId: string, request: ExportRequest, work: ExportWork): Promise<MadeExport>;
  /** Writes to a file outside those that are kept. */
  writeTo(file: string, request: ExportRequest, work: ExportWork): Promise<MadeExport>;
  pathOf(exportId: string): string;
  /** Deletes what there is of an export. */
  remove(exportId: string): Promise<void>;
  /** Deletes the files of all exports but some. @returns Those of them whose files are there, whole. */
  keepOnly(isKept: (exportId: string) => boolean): Promise<Set<string>>;
}
