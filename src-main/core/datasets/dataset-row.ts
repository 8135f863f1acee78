import type { DatasetStatus, LegacyStatus, SOURCE_TYPES } from '../../contract/schemas/dataset.ts';

/** A dataset's row in the catalog. */
export interface DatasetRow {
  dataset_id: string;
  display_name: string;
  description: string;
  source_type: (typeof SOURCE_TYPES)[number];
  source_uri: string;
  source_dataset_id: string | null;
  owner_id: string;
  /** The workspace whose members see the dataset; null until the next start assigns one. */
  workspace_id: string | null;
  status_new: DatasetStatus;
  status: LegacyStatus;
  progress: number;
  n_images: number;
  n_videos: number;
  n_objects: number;
  n_file_errors: number;
  /** Stored message. */
  fatal_error_msg: string | null;
  generation: number;
  /** JSON array of media ids for the mosaic of a card. */
  preview_media_ids: string;
  created_at: string;
  updated_at: string;
}

export type DatasetCounts = Pick<DatasetRow, 'n_images' | 'n_videos' | 'n_objects' | 'n_file_errors'>;

/** Whether the dataset has no index yet: its preview images are chosen when the first index is built. */
export function isNeverIndexed(row: Pick<DatasetRow, 'preview_media_ids'>): boolean {
  return row.preview_media_ids === '[]';
}

export interface DatasetListRow extends DatasetRow {
  /** Size of its files in the data folder, as last counted; null if they were not counted yet. */
  disk_bytes: number | null;
  /** Number of frames of its videos, as last counted; null if they were not counted yet. */
  n_frames: number | null;
  owner_email: string;
  /** Whether the last run of the task that creates the dataset was aborted by a user, rather than failed. */
  is_stopped: 0 | 1;
}
