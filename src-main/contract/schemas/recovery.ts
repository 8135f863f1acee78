import { z } from 'zod';
import { task } from './task.ts';

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

/** A dataset in which a check found something. */
export const checkedDataset = z.object({ dataset_id: z.string(), name: z.string(), problems: z.array(z.string()) });
export type CheckedDataset = z.infer<typeof checkedDataset>;

/** The latest check: what it has found by now. */
export const dataCheck = z.object({
  task,
  n_datasets: z.int(),
  /** Datasets that were busy, or in error already. */
  n_busy: z.int(),
  damaged: z.array(checkedDataset),
});
export type DataCheck = z.infer<typeof dataCheck>;

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
