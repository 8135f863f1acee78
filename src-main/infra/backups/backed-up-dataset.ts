import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { DatasetRecord } from '../../core/ports/dataset-folders.ts';
import type { BlockStore } from '../blocks/block-store.ts';
import { readStoredFile } from '../blocks/stored-file.ts';
import { findInTree } from './stored-tree.ts';

/** Folders of a dataset with its snapshots. */
export const SNAPSHOT_FOLDERS = ['snapshots', 'blocks'];

const DAMAGED = message('backup_dataset_damaged');

/** A dataset in a backup. */
export interface BackedUpState {
  record: DatasetRecord;
  /** Name of the listing of the current generation. Undefined when the dataset could not be read when the backup was made. */
  tree: string | undefined;
}

/**
 * Reads a dataset's state from a backup.
 * @param tree Name of the listing of the dataset's folder.
 * @throws AppError `storage_failed` when the dataset's record is missing or damaged.
 */
export async function readBackedUp(store: BlockStore, tree: string): Promise<BackedUpState> {
  const file = await findInTree(store, tree, 'dataset.json');
  if (!file || !('content' in file)) throw new AppError('storage_failed', DAMAGED);
  const record = JSON.parse((await readStoredFile(store, file.content)).toString()) as DatasetRecord;
  const generation = await findInTree(store, tree, String(record.dataset.generation));
  return { record, tree: generation && 'tree' in generation ? generation.tree : undefined };
}

/** Returns the listing of the dataset's generation. @throws AppError `storage_failed` when the dataset has no readable generation. */
export function assertReadable({ tree }: BackedUpState): string {
  if (tree === undefined) throw new AppError('storage_failed', DAMAGED);
  return tree;
}
