import { z } from 'zod';

export const SNAPSHOT_REASONS = ['manual', 'creation', 'clone'] as const;

/** A kept state of a dataset. */
export const snapshot = z.object({
  snapshot_id: z.string(),
  snapshot_name: z.string(),
  source_dataset_name: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  n_images: z.int(),
  n_videos: z.int(),
  /** Ours, as it was then. */
  n_objects: z.int(),
  description: z.string(),
  reason: z.enum(SNAPSHOT_REASONS),
  training_model_id: z.string().nullable(),
  training_model_name: z.string().nullable(),
  /** What the dataset holds now came from it: it is the one made, or restored, last. */
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

/** Ours: one thing that differs between two states of a dataset. What is said of items that only one of them has is no change of its own. */
export const snapshotChange = z.object({
  kind: z.enum(SNAPSHOT_CHANGE_KINDS),
  media_id: z.string(),
  file_path: z.string(),
  /** The label, or the name of the tag; null of items. */
  name: z.string().nullable(),
});
export type SnapshotChange = z.infer<typeof snapshotChange>;
