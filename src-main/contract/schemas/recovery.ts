import { z } from 'zod';
import { messageSchema } from '../messages.ts';
import { task } from './task.ts';

/**
 * `catalog_replaced`: the catalog was damaged or lost and was rebuilt from the folders of datasets. `adopted`: a dataset unknown to the
 * catalog was added. `updated`: a dataset's folder was newer than the catalog. `set_aside`: moved to `recovered/`. `not_restored`: lost, or
 * not recoverable now. `damaged`: damage was found; `repaired`: damage was repaired.
 */
const RECOVERY_KINDS = [
  'catalog_replaced',
  'adopted',
  'updated',
  'set_aside',
  'not_restored',
  'damaged',
  'repaired',
] as const;

/** A dataset with findings of a check. */
export const checkedDataset = z.object({
  dataset_id: z.string(),
  name: z.string(),
  problems: z.array(z.string()),
  /** The problems as data. */
  findings: z.array(messageSchema),
});

/** Progress and findings of the latest check. */
export const dataCheck = z.object({
  task,
  n_datasets: z.int(),
  /** Number of datasets that were busy or in error. */
  n_busy: z.int(),
  damaged: z.array(checkedDataset),
  /** Whether the check runs, or ran, in the background at limited speed. */
  in_background: z.boolean(),
  /** Number of bytes read so far. */
  read_bytes: z.int(),
  /** The backup that was read; null if none was. Only a check in the background reads one. */
  backup_id: z.string().nullable(),
});
export type DataCheck = z.infer<typeof dataCheck>;

export const recoveryEvent = z.object({
  event_id: z.int(),
  at: z.string(),
  kind: z.enum(RECOVERY_KINDS),
  dataset_id: z.string().nullable(),
  /** Name of the affected dataset or file. */
  name: z.string(),
  detail: z.string(),
  /** The detail as data. */
  finding: messageSchema,
  /** Whether the event was read. */
  acknowledged: z.boolean(),
});
export type RecoveryEvent = z.infer<typeof recoveryEvent>;
