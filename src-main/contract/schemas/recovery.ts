import { z } from 'zod';

/**
 * `catalog_replaced`: it was damaged or gone and was made again from the folders of datasets. `adopted`: a dataset that the catalog did not
 * know is back. `updated`: a dataset's folder knew more than the catalog. `set_aside`: moved to `recovered/`. `not_restored`: lost for good,
 * or for now. `damaged`: found broken; `repaired`: whole again.
 */
export const RECOVERY_KINDS = [
  'catalog_replaced',
  'adopted',
  'updated',
  'set_aside',
  'not_restored',
  'damaged',
  'repaired',
] as const;

export const recoveryEvent = z.object({
  event_id: z.int(),
  at: z.string(),
  kind: z.enum(RECOVERY_KINDS),
  dataset_id: z.string().nullable(),
  /** What it is about, as people know it. */
  name: z.string(),
  detail: z.string(),
  /** Whether somebody has read it. */
  acknowledged: z.boolean(),
});
export type RecoveryEvent = z.infer<typeof recoveryEvent>;
