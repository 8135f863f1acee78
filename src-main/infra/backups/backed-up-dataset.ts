import { AppError } from '../../contract/errors.ts';
import type { DatasetRecord } from '../../core/ports/dataset-folders.ts';
import { readBlock } from '../blocks/blocks.ts';
import { findInTree } from './kept-tree.ts';

/** What a dataset keeps beside its generation: its snapshots. */
export const SNAPSHOT_FOLDERS = ['snapshots', 'blocks'];

const DAMAGED = 'The dataset was damaged when the backup was made';

/** What a backup has of a dataset: what its folder says of it, and the listing of the generation that is in use. */
export interface BackedUpState {
  record: DatasetRecord;
  /** Undefined where the dataset could not be read when the backup was made. */
  tree: string | undefined;
}

/**
 * @param tree The listing of the dataset's folder.
 * @throws AppError `storage_failed` when its record is missing or damaged.
 */
export async function readBackedUp(tree: string, blocksFolder: string): Promise<BackedUpState> {
  const file = await findInTree(tree, 'dataset.json', blocksFolder);
  if (!file || !('blocks' in file)) throw new AppError('storage_failed', DAMAGED);
  const content = await Promise.all(file.blocks.map((name) => readBlock(blocksFolder, name)));
  const record = JSON.parse(Buffer.concat(content).toString()) as DatasetRecord;
  const generation = await findInTree(tree, String(record.dataset.generation), blocksFolder);
  return { record, tree: generation && 'tree' in generation ? generation.tree : undefined };
}

/** @throws AppError `storage_failed` when there is none. */
export function assertReadable({ tree }: BackedUpState): string {
  if (tree === undefined) throw new AppError('storage_failed', DAMAGED);
  return tree;
}
