import { z } from 'zod';

/** A dataset in a backup. */
export const backedUpDataset = z.object({
  dataset_id: z.string(),
  name: z.string(),
  n_images: z.int(),
  n_videos: z.int(),
  n_objects: z.int(),
  /** Why the backup holds an earlier state of the dataset; null if it holds the state at backup time. */
  problem: z.string().nullable(),
});
export type BackedUpDataset = z.infer<typeof backedUpDataset>;

export const backup = z.object({
  backup_id: z.string(),
  created_at: z.string(),
  /** Version of the product that wrote the backup. */
  version: z.string(),
  datasets: z.array(backedUpDataset),
  n_files: z.int(),
  /** Size of all contents. */
  bytes: z.int(),
  /** Size of what no earlier backup contained. */
  new_bytes: z.int(),
});
export type Backup = z.infer<typeof backup>;
