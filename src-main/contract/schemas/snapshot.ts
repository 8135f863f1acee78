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
