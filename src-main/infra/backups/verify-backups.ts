import { resolve } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { BlockStore } from '../blocks/block-store.ts';
import { isFileStored } from '../blocks/stored-file.ts';
import { BackupFolder } from './backup-folder.ts';
import { filesOf, namesOfTrees } from './stored-tree.ts';

type OnBytes = (done: number, total: number) => void;

/** The result for one backup. */
export interface VerifiedBackup {
  backup_id: string;
  created_at: string;
  n_files: number;
  /** Paths of files that cannot be restored. */
  damaged: string[];
}

/**
 * Reads every block of the backups once and compares it with its checksum.
 * @param backup_id Default: all backups of the folder.
 * @param onBytes Receives the number of verified bytes and their total.
 * @returns The results, the latest backup first, and the number of backups with an unreadable manifest.
 * @throws AppError `invalid_request` when the folder holds no backups, `not_found`.
 */
export async function verifyBackups(
  { from, backup_id }: { from: string; backup_id: string | undefined },
  onBytes: OnBytes,
): Promise<{ backups: VerifiedBackup[]; n_unreadable: number }> {
  const folder = new BackupFolder(resolve(from));
  await folder.assertMarked();
  const listed = backup_id === undefined ? await folder.list() : [await folder.get(backup_id)];
  return folder.withBlocks(async (store) => {
    const names =
      backup_id === undefined
        ? undefined
        : namesOfTrees(
            store,
            listed.map(({ tree }) => tree),
          );
    const damaged = await findDamagedBlocks(store, names, onBytes);
    const backups: VerifiedBackup[] = [];
    for (const { backup_id, created_at, n_files, tree } of listed) {
      backups.push({ backup_id, created_at, n_files, damaged: await findDamagedFiles(store, tree, damaged) });
    }
    return { backups, n_unreadable: backup_id === undefined ? await folder.countUnreadable() : 0 };
  });
}

/**
 * Reads every block of one backup.
 * @returns Paths of files that cannot be restored.
 */
export async function verifyTree(store: BlockStore, tree: string, onBytes: OnBytes): Promise<string[]> {
  const damaged = await findDamagedBlocks(store, namesOfTrees(store, [tree]), onBytes);
  return findDamagedFiles(store, tree, damaged);
}

/** The blocks of a tree with a damaged listing are unknown; {@link findDamagedFiles} reports the listing instead. */
async function findDamagedBlocks(
  store: BlockStore,
  names: AsyncIterable<string> | undefined,
  onBytes: OnBytes,
): Promise<Set<string>> {
  try {
    return await store.findDamaged({ ...(names && { names }), onBytes });
  } catch (error) {
    if (error instanceof AppError && error.code === 'storage_failed') return new Set();
    throw error;
  }
}

async function findDamagedFiles(store: BlockStore, tree: string, damaged: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const [path, { content }] of filesOf(store, tree)) {
      if (!(await isFileStored(store, content, damaged))) found.push(path);
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'storage_failed') throw error;
    found.push('its list of files');
  }
  return found;
}
