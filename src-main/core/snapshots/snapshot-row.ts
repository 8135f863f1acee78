import type { Snapshot } from '../../contract/schemas/snapshot.ts';

/** A snapshot as the catalog keeps it; the version that holds its state has the same id. */
export interface SnapshotRow {
  snapshot_id: string;
  dataset_id: string;
  name: string;
  description: string;
  created_at: string;
  created_by: string;
  reason: Snapshot['reason'];
  n_images: number;
  n_videos: number;
  n_objects: number;
  n_file_errors: number;
  /** JSON array of media ids for the mosaic of a card. */
  preview_media_ids: string;
  /** What the dataset was enriched with, as the catalog takes and puts it. */
  enrichment: string | null;
  /** JSON array of the media folders that its originals are in. */
  media_folders: string;
  training_model_id: string | null;
  training_model_name: string | null;
  is_current: number;
}

export interface SnapshotListRow extends SnapshotRow {
  dataset_name: string;
}

export function mediaFoldersOf(row: Pick<SnapshotRow, 'media_folders'>): string[] {
  return JSON.parse(row.media_folders) as string[];
}
