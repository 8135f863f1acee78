import type { DatasetStatus, LegacyStatus, SOURCE_TYPES } from '../../contract/schemas/dataset.ts';

/** A dataset as the catalog keeps it. */
export interface DatasetRow {
  dataset_id: string;
  display_name: string;
  description: string;
  source_type: (typeof SOURCE_TYPES)[number];
  source_uri: string;
  source_dataset_id: string | null;
  owner_id: string;
  /** Whose members see it; null until a start has put it into one. */
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

/** Whether it has no index yet: the images that stand for a dataset are chosen when the first is made. */
export function isNeverIndexed(row: Pick<DatasetRow, 'preview_media_ids'>): boolean {
  return row.preview_media_ids === '[]';
}

export interface DatasetListRow extends DatasetRow {
  owner_email: string;
  /** Whether what made it was stopped by a person: its last run, if it failed, did not fail by itself. */
  is_stopped: 0 | 1;
}
