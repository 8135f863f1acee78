import { resolve } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { BlockStore } from '../blocks/block-store.ts';
import { isFileStored } from '../blocks/stored-file.ts';
import { BackupFolder, type BackupManifest } from './backup-folder.ts';
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
  if (backup_id !== undefined) {
    return folder.readOne(backup_id, async (backup, store) => {
      const damaged = await verifyTree(store, backup.tree, onBytes);
      return { backups: [{ ...resultOf(backup), damaged }], n_unreadable: 0 };
    });
  }
  return folder.read(async ({ store, backups, n_unreadable }) => {
    const damaged = await findDamagedBlocks(store, undefined, onBytes);
    const verified: VerifiedBackup[] = [];
    for (const backup of backups) {
      verified.push({ ...resultOf(backup), damaged: await findDamagedFiles(store, backup.tree, damaged) });
    }
    return { backups: verified, n_unreadable };
  });
}

function resultOf({ backup_id, created_at, n_files }: BackupManifest): Omit<VerifiedBackup, 'damaged'> {
  return { backup_id, created_at, n_files };
}

/**
 * Reads every block of one backup.
 * @returns Paths of files that cannot be restored.
 */
export async function verifyTree(
  store: BlockStore,
  tree: string,
  onBytes: OnBytes,
  pace?: (bytes: number) => Promise<void>,
): Promise<string[]> {
  const damaged = await findDamagedBlocks(store, namesOfTrees(store, [tree]), onBytes, pace);
  return findDamagedFiles(store, tree, damaged);
}

/** The blocks of a tree with a damaged listing are unknown; {@link findDamagedFiles} reports the listing instead. */
async function findDamagedBlocks(
  store: BlockStore,
  names: AsyncIterable<string> | undefined,
  onBytes: OnBytes,
  pace?: (bytes: number) => Promise<void>,
): Promise<Set<string>> {
  try {
    return await store.findDamaged({ ...(names && { names }), ...(pace && { pace }), onBytes });
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
