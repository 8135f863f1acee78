import { resolve } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { BackupFolder } from './backup-folder.ts';
import { findDamage } from './tree-restorer.ts';

/** What was found of one backup. */
export interface VerifiedBackup {
  backup_id: string;
  created_at: string;
  n_files: number;
  /** Paths of files that cannot be restored. */
  damaged: string[];
}

/**
 * Reads all that backups are made of, each block once, and compares it with its checksum.
 * @param backupId All of the folder when undefined.
 * @param onBackup Hears of each backup before it is read.
 * @returns The latest first, and how many backups cannot even be listed.
 * @throws AppError `invalid_request` where the folder holds no backups, `not_found`.
 */
export async function verifyBackups(
  { from, backup_id }: { from: string; backup_id: string | undefined },
  onBackup: (backupId: string) => void,
): Promise<{ backups: VerifiedBackup[]; n_unreadable: number }> {
  const folder = new BackupFolder(resolve(from));
  await folder.assertMarked();
  const listed = backup_id === undefined ? await folder.list() : [await folder.get(backup_id)];
  const sound = new Set<number>();
  const backups: VerifiedBackup[] = [];
  for (const { backup_id, created_at, n_files, tree } of listed) {
    onBackup(backup_id);
    const damaged = await findDamage(tree, folder.blocks, { sound }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'storage_failed') return ['its listing of files'];
      throw error;
    });
    backups.push({ backup_id, created_at, n_files, damaged });
  }
  return { backups, n_unreadable: backup_id === undefined ? await folder.countUnreadable() : 0 };
}
