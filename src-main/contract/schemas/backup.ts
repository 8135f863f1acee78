import { z } from 'zod';

/** A dataset as a backup has it. */
export const backedUpDataset = z.object({
  dataset_id: z.string(),
  name: z.string(),
  n_images: z.int(),
  n_videos: z.int(),
  n_objects: z.int(),
  /** Why it is not as it was when the backup was made; null where it is. */
  problem: z.string().nullable(),
});
export type BackedUpDataset = z.infer<typeof backedUpDataset>;

export const backup = z.object({
  backup_id: z.string(),
  created_at: z.string(),
  /** Of the product that made it. */
  version: z.string(),
  datasets: z.array(backedUpDataset),
  n_files: z.int(),
  /** Of everything that is in it. */
  bytes: z.int(),
  /** Of what no backup before it had. */
  new_bytes: z.int(),
});
export type Backup = z.infer<typeof backup>;
