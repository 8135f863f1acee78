import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { keepBlock, readBlock } from '../blocks/blocks.ts';

/** A file in a backup. */
const keptFile = z.object({
  name: z.string(),
  bytes: z.int(),
  mtime_ms: z.number(),
  /** The same for all names of a file that has several, where they lie in one backup. */
  inode: z.string().optional(),
  /** What it is made of, in order. */
  blocks: z.array(z.string()),
});
export type KeptFile = z.infer<typeof keptFile>;

/** A folder in a backup: the block that lists what is in it. */
const keptFolder = z.object({ name: z.string(), tree: z.string() });
export type KeptFolder = z.infer<typeof keptFolder>;

export type KeptEntry = KeptFile | KeptFolder;

const listing = z.array(z.union([keptFile, keptFolder]));

/**
 * Keeps the listing of a folder as a block as well, so that a folder in which nothing changed is named by two backups and there once.
 * @returns The block's name.
 */
export async function keepListing(
  entries: readonly KeptEntry[],
  blocksFolder: string,
): Promise<{ name: string; is_new: boolean }> {
  const inOrder = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return keepBlock(blocksFolder, Buffer.from(JSON.stringify(inOrder)));
}

/** @throws AppError `storage_failed` when the listing is missing or damaged. */
export async function readListing(tree: string, blocksFolder: string): Promise<KeptEntry[]> {
  const entries = listing.safeParse(JSON.parse((await readBlock(blocksFolder, tree)).toString()));
  if (!entries.success || entries.data.some(({ name }) => !isPlainName(name))) {
    throw new AppError('storage_failed', 'The backup lists something that cannot be understood');
  }
  return entries.data;
}

/** What is at a path of a tree, `/` between folders; undefined where nothing is. */
export async function findInTree(tree: string, path: string, blocksFolder: string): Promise<KeptEntry | undefined> {
  const [name, ...below] = path.split('/');
  const entry = (await readListing(tree, blocksFolder)).find((candidate) => candidate.name === name);
  if (below.length === 0 || !entry) return entry;
  return 'tree' in entry ? findInTree(entry.tree, below.join('/'), blocksFolder) : undefined;
}

/** A name that stays in its folder, whoever wrote the backup. */
function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}
