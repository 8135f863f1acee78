import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { backup } from '../schemas/backup.ts';

/** Where backups are: an absolute path on this machine; the one that was used last when it is not named. */
const folder = field.blankAsAbsent(z.string().max(4096));

/** Copies of the whole data folder, made while the app goes on. */
export const backupOperations = {
  start_backup: defineOperation({
    method: 'POST',
    path: '/backup',
    section: 'own',
    summary: 'Back everything up to a folder; only what no earlier backup there has is written',
    permission: 'settings:manage',
    body: 'json',
    input: z.object({
      folder,
      /** How many backups stay in the folder, this one included; all when absent. */
      keep: field.blankAsAbsent(field.integer(1, 10_000)),
    }),
    output: z.object({ task_id: z.string() }),
    status: 202,
    errors: ['invalid_request', 'forbidden', 'conflict', 'unavailable', 'disk_full'],
  }),
  list_backups: defineOperation({
    method: 'GET',
    path: '/backups',
    section: 'own',
    summary: 'Backups of a folder, the latest first',
    permission: 'settings:manage',
    input: z.object({ folder }),
    output: z.object({
      /** Null where no backup was ever made and no folder is named. */
      folder: z.string().nullable(),
      /** Whether backups are there now; the drive of the one that was used last may be away. */
      is_there: z.boolean(),
      backups: z.array(backup),
    }),
    errors: ['invalid_request', 'forbidden', 'unavailable'],
  }),
  restore_dataset: defineOperation({
    method: 'POST',
    path: '/backups/restore',
    section: 'own',
    summary: 'Bring a dataset of a backup back as one of its own, beside those that are here',
    permission: 'settings:manage',
    body: 'json',
    input: z.object({ folder, backup_id: z.string().min(1), dataset_id: field.uuid }),
    output: z.object({ task_id: z.string(), dataset_id: z.string() }),
    status: 202,
    errors: ['invalid_request', 'forbidden', 'not_found', 'conflict', 'unavailable', 'storage_failed', 'disk_full'],
  }),
};
