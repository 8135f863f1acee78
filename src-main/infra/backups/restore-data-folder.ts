import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { BlockStore } from '../blocks/block-store.ts';
import { RESTORING } from '../data-folder.ts';
import { lockFiles } from '../sqlite/file-lock.ts';
import { BackupFolder, type BackupManifest } from './backup-folder.ts';
import { TreeRestorer } from './tree-restorer.ts';
import { verifyTree } from './verify-backups.ts';

/** Maximum number of damaged files that an error lists. */
const MAX_NAMED = 5;
/** Name of the lock file, which an earlier process may have left. */
const LOCK = 'lock';

/**
 * Verifies a backup, then writes it as a complete data folder. An interrupted restore continues when it is run again; no server uses the
 * folder until the restore is complete.
 * @param to A folder that is missing, empty, or left by an interrupted restore of the same backup.
 * @param onBytes Receives the number of bytes verified or written, and their total.
 * @throws AppError `invalid_request` when `from` holds no backups or `to` is not empty; `not_found`; `unavailable` while another process
 * restores there; `storage_failed` when a part of the backup is missing or damaged, in which case nothing was written.
 */
export async function restoreDataFolder(
  { from, backup_id, to }: { from: string; backup_id: string | undefined; to: string },
  onBytes: (step: 'check' | 'write', done: number, total: number) => void,
): Promise<BackupManifest> {
  const folder = new BackupFolder(resolve(from));
  await folder.assertMarked();
  return folder.readOne(backup_id, async (backup, store) => {
    await assertFree(to, backup);
    return restoreTo(to, backup, store, onBytes);
  });
}

async function restoreTo(
  to: string,
  backup: BackupManifest,
  store: BlockStore,
  onBytes: (step: 'check' | 'write', done: number, total: number) => void,
): Promise<BackupManifest> {
  const damaged = await verifyTree(store, backup.tree, (done, total) => onBytes('check', done, total));
  if (damaged.length > 0) {
    const named = damaged.slice(0, MAX_NAMED).join(', ');
    const more = damaged.length - MAX_NAMED;
    throw new AppError(
      'storage_failed',
      more > 0 ? message('backup_damaged_and_more', { named, more }) : message('backup_damaged_files', { named }),
    );
  }
  await mkdir(to, { recursive: true });
  const lock = lockFiles([join(to, LOCK)], 'data_folder');
  try {
    await writeFile(join(to, RESTORING), JSON.stringify({ backup_id: backup.backup_id }));
    let done = 0;
    const restorer = new TreeRestorer(store, (bytes) => {
      done += bytes;
      onBytes('write', done, backup.bytes);
    });
    await restorer.restore(backup.tree, to);
    await rm(join(to, RESTORING));
    return backup;
  } finally {
    lock.release();
  }
}

async function assertFree(to: string, { backup_id }: BackupManifest): Promise<void> {
  if (!existsSync(to)) return;
  const names = (await readdir(to)).filter((name) => name !== LOCK);
  if (names.length === 0) return;
  const interrupted = names.includes(RESTORING) ? await readInterrupted(join(to, RESTORING)) : undefined;
  if (interrupted === undefined) {
    throw new AppError('invalid_request', message('restore_target_not_empty'));
  }
  if (interrupted !== '' && interrupted !== backup_id) {
    throw new AppError('invalid_request', message('restore_of_other_backup', { backup: interrupted }));
  }
}

/** Id of the backup that is being restored; '' when a crash happened before the id was written. */
async function readInterrupted(file: string): Promise<string> {
  const content = await readFile(file, 'utf8');
  return content === '' ? '' : (JSON.parse(content) as { backup_id: string }).backup_id;
}
