import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { RESTORING } from '../data-folder.ts';
import { lockFiles } from '../sqlite/file-lock.ts';
import { BackupFolder, type BackupManifest } from './backup-folder.ts';
import { findDamage, TreeRestorer } from './tree-restorer.ts';

const DAMAGED_NAMED = 5;
/** What the lock itself leaves in a folder; whoever uses it next locks it anew. */
const LOCK = 'lock';

/**
 * Lays a backup out as a whole data folder, after all of it was found sound. Cut off, it goes on where it was when it is run again; until
 * it is done nobody can use the folder.
 * @param to Missing, empty, or left by a restore of the same backup that was cut off.
 * @param onBytes Hears how far checking and writing have got.
 * @throws AppError `invalid_request` where `from` holds no backups or `to` is not empty; `not_found`; `unavailable` while another process
 *   restores there; `storage_failed` when a part of the backup is missing or damaged, and then nothing was written.
 */
export async function restoreDataFolder(
  { from, backup_id, to }: { from: string; backup_id: string | undefined; to: string },
  onBytes: (step: 'check' | 'write', done: number, total: number) => void,
): Promise<BackupManifest> {
  const folder = new BackupFolder(resolve(from));
  await folder.assertMarked();
  const backup = await folder.get(backup_id);
  await assertFree(to, backup);
  const meter = (step: 'check' | 'write') => {
    let done = 0;
    return (bytes: number) => {
      done += bytes;
      onBytes(step, done, backup.bytes);
    };
  };
  const damaged = await findDamage(backup.tree, folder.blocks, { onBytes: meter('check') });
  if (damaged.length > 0) {
    const named = damaged.slice(0, DAMAGED_NAMED).join(', ');
    const more = damaged.length > DAMAGED_NAMED ? ` and ${damaged.length - DAMAGED_NAMED} more` : '';
    throw new AppError('storage_failed', `The backup is damaged: ${named}${more}. Choose another one.`);
  }
  await mkdir(to, { recursive: true });
  const lock = lockFiles([join(to, LOCK)], 'data folder');
  try {
    await writeFile(join(to, RESTORING), JSON.stringify({ backup_id: backup.backup_id }));
    await new TreeRestorer(folder.blocks, meter('write')).restore(backup.tree, to);
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
  const begun = names.includes(RESTORING) ? await readBegun(join(to, RESTORING)) : undefined;
  if (begun === undefined) {
    throw new AppError('invalid_request', 'The data folder is not empty. A backup is restored into an empty one.');
  }
  if (begun !== '' && begun !== backup_id) {
    throw new AppError('invalid_request', `The restore of backup ${begun} was begun there. Run that again.`);
  }
}

/** Which backup is being restored; empty where a crash came before that was written. */
async function readBegun(file: string): Promise<string> {
  const content = await readFile(file, 'utf8');
  return content === '' ? '' : (JSON.parse(content) as { backup_id: string }).backup_id;
}
