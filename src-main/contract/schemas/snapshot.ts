import { z } from 'zod';

export const SNAPSHOT_REASONS = ['manual', 'creation', 'clone'] as const;

/** A stored state of a dataset. */
export const snapshot = z.object({
  snapshot_id: z.string(),
  snapshot_name: z.string(),
  source_dataset_name: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  n_images: z.int(),
  n_videos: z.int(),
  /** Ours: count at snapshot time. */
  n_objects: z.int(),
  description: z.string(),
  reason: z.enum(SNAPSHOT_REASONS),
  training_model_id: z.string().nullable(),
  training_model_name: z.string().nullable(),
  /** Whether it is the snapshot created or restored last. */
  is_current: z.boolean(),
  is_restoring: z.boolean(),
});
export type Snapshot = z.infer<typeof snapshot>;

export const SNAPSHOT_CHANGE_KINDS = [
  'item_added',
  'item_removed',
  'item_excluded',
  'item_included',
  'label_added',
  'label_removed',
  'tag_added',
  'tag_removed',
] as const;
export type SnapshotChangeKind = (typeof SNAPSHOT_CHANGE_KINDS)[number];

/** Ours: a difference between two states. Annotations of items that only one state contains are not listed. */
export const snapshotChange = z.object({
  kind: z.enum(SNAPSHOT_CHANGE_KINDS),
  media_id: z.string(),
  file_path: z.string(),
  /** The label or the name of the tag; null for items. */
  name: z.string().nullable(),
});
export type SnapshotChange = z.infer<typeof snapshotChange>;
