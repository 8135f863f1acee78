import { z } from 'zod';
import { metadataValue } from './custom-metadata.ts';
import { issue } from './issues.ts';

/** Fields of an item beside those of every list, for tables. Those of an object are of its image unless said otherwise. */
export const itemDetails = z.object({
  /** Path relative to the dataset's root. */
  file_path: z.string(),
  format: z.string(),
  size_bytes: z.int(),
  created_at: z.string(),
  modified_at: z.string(),
  sharpness: z.number(),
  /** 0 has an exact duplicate … 1 is unlike any other; of the object itself. Null before the first index. */
  uniqueness_score: z.number().nullable(),
  /** Origin of an object: `Import` for annotation files, else a model id; null for items. */
  source: z.string().nullable(),
  /** Issues of the item or object, highest confidence first. */
  issues: z.array(issue),
  /** Values of custom fields, in the order of declaration. */
  custom_metadata: z.array(metadataValue),
  /** Its cluster at the level `threshold`; null before the first index. */
  cluster: z.object({ cluster_id: z.string(), name: z.string().nullable(), n_items: z.int() }).nullable(),
});
export type ItemDetails = z.infer<typeof itemDetails>;
