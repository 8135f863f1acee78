import { z } from 'zod';
import { messageSchema } from '../messages.ts';

/** A folder whose changes become batches of a dataset automatically. */
export const watchedFolder = z.object({
  watch_id: z.string(),
  dataset_id: z.string(),
  path: z.string(),
  /** Excluded patterns of relative paths, such as `drafts/**` or `*.tmp.jpg`. */
  exclude: z.array(z.string()),
  paused: z.boolean(),
  /** `offline`: the folder or its drive is not reachable; its files are not treated as deleted. */
  state: z.enum(['scanning', 'watching', 'paused', 'offline', 'error']),
  /** Why the folder is in this state, where that is not plain. */
  detail: z.string().nullable(),
  /** The detail as data. */
  problem: messageSchema.nullable(),
  last_scan_at: z.string().nullable(),
  created_at: z.string(),
});
export type WatchedFolder = z.infer<typeof watchedFolder>;

/** A location of files of a dataset. */
export const datasetSource = z.object({
  source_id: z.string(),
  /** `folder`: referenced in place; `stored`: in the data folder. */
  kind: z.enum(['folder', 'stored']),
  /** Null for stored files. */
  path: z.string().nullable(),
  n_files: z.int(),
  /** Whether the folder is reachable now. */
  available: z.boolean(),
});
export type DatasetSource = z.infer<typeof datasetSource>;
