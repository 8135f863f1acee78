import type { ExploredType } from '../../contract/schemas/explore.ts';

/** A saved view's row in the catalog. */
export interface ViewRow {
  view_id: string;
  dataset_id: string;
  name: string;
  entity_type: ExploredType;
  threshold: string;
  caption: string | null;
  /** JSON array of filters. */
  vql: string;
  /** E-mail address. */
  created_by: string;
  created_at: string;
  /** Queue position of the dataset's last task when monitoring started: batches of later tasks are checked. */
  watched_after: number;
  monitoring_enabled: 0 | 1;
  monitoring_started_at: string;
  alerting_enabled: 0 | 1;
  /** -1 until the first batch has been checked. */
  n_images: number;
  n_objects: number;
  n_video_frames: number;
  total_results: number;
  last_results: string | null;
  /** Stored message: the reason why the last batch could not be checked. */
  problem: string | null;
}

export interface ViewListRow extends ViewRow {
  user_id: string;
  user_name: string;
}
