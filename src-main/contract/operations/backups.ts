import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { backup } from '../schemas/backup.ts';

/** Absolute path of the backup folder on this machine (default: the folder used last). */
const folder = field.blankAsAbsent(z.string().max(4096));

/** Backups of the data folder, written while the app runs. */
export const backupOperations = {
  start_backup: defineOperation({
    method: 'POST',
    path: '/backup',
    section: 'own',
    summary: 'Back up everything to a folder; writes only what no earlier backup there contains',
    permission: 'settings:manage',
    body: 'json',
    input: z.object({
      folder,
      /** Number of backups to keep in the folder, this one included (default: all). */
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
    summary: 'Backups in a folder, newest first',
    permission: 'settings:manage',
    input: z.object({ folder }),
    output: z.object({
      /** Null if no folder is given and none was used before. */
      folder: z.string().nullable(),
      /** Whether the folder is reachable now; its drive may be disconnected. */
      is_there: z.boolean(),
      backups: z.array(backup),
    }),
    errors: ['invalid_request', 'forbidden', 'unavailable'],
  }),
  restore_dataset: defineOperation({
    method: 'POST',
    path: '/backups/restore',
    section: 'own',
    summary: 'Restore a dataset from a backup as a separate dataset',
    permission: 'settings:manage',
    body: 'json',
    input: z.object({ folder, backup_id: z.string().min(1), dataset_id: field.uuid }),
    output: z.object({ task_id: z.string(), dataset_id: z.string() }),
    status: 202,
    errors: ['invalid_request', 'forbidden', 'not_found', 'conflict', 'unavailable', 'storage_failed', 'disk_full'],
  }),
};
