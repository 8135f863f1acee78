import type { Snapshot } from '../../contract/schemas/snapshot.ts';

/** A snapshot in the catalog. Its folder has the same id. */
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
  /** Models of the dataset, as {@link Enrichments} returns them. */
  enrichment: string | null;
  /** JSON array of the media folders with its originals. */
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
