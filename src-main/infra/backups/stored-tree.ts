import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { BlockStore } from '../blocks/block-store.ts';
import { namesOf } from '../blocks/stored-file.ts';

/** A file in a backup. */
const fileEntry = z.object({
  name: z.string(),
  bytes: z.int(),
  mtime_ms: z.number(),
  /** Set for a file with several hard links, equal for all links of it in one backup. */
  inode: z.string().optional(),
  content: z.union([z.object({ blocks: z.array(z.string()) }), z.object({ lists: z.array(z.string()) })]),
});
export type FileEntry = z.infer<typeof fileEntry>;

/** A folder in a backup. `tree`: name of the block with its listing. */
const folderEntry = z.object({ name: z.string(), tree: z.string() });
export type FolderEntry = z.infer<typeof folderEntry>;

export type TreeEntry = FileEntry | FolderEntry;

const listing = z.array(z.union([fileEntry, folderEntry]));

/**
 * Stores the listing of a folder as a block, so that folders that are equal in two backups share one listing.
 * @returns The block's name.
 */
export async function storeListing(store: BlockStore, entries: readonly TreeEntry[]): Promise<string> {
  const inOrder = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return (await store.add(Buffer.from(JSON.stringify(inOrder)))).name;
}

/** Reads a listing. @throws AppError `storage_failed` when it is missing or damaged. */
export async function readListing(store: BlockStore, tree: string): Promise<TreeEntry[]> {
  const entries = listing.safeParse(JSON.parse((await store.read(tree)).toString()));
  if (!entries.success || entries.data.some(({ name }) => !isPlainName(name))) {
    throw new AppError('storage_failed', message('backup_list_invalid'));
  }
  return entries.data;
}

/** The entry at a path below a tree, with `/` between folders. Undefined when there is none. */
export async function findInTree(store: BlockStore, tree: string, path: string): Promise<TreeEntry | undefined> {
  const [name, ...below] = path.split('/');
  const entry = (await readListing(store, tree)).find((candidate) => candidate.name === name);
  if (below.length === 0 || !entry) return entry;
  return 'tree' in entry ? findInTree(store, entry.tree, below.join('/')) : undefined;
}

/** All files of a tree with their paths, with `/` between folders. @throws AppError `storage_failed`. */
export async function* filesOf(store: BlockStore, tree: string, parent = ''): AsyncGenerator<[string, FileEntry]> {
  for (const entry of await readListing(store, tree)) {
    if ('tree' in entry) yield* filesOf(store, entry.tree, `${parent}${entry.name}/`);
    else yield [`${parent}${entry.name}`, entry];
  }
}

/** Yields the names of all blocks that trees need, listings included. @throws AppError `storage_failed`. */
export async function* namesOfTrees(
  store: BlockStore,
  trees: Iterable<string>,
  seen = new Set<string>(),
): AsyncGenerator<string> {
  for (const tree of trees) {
    if (seen.has(tree)) continue;
    seen.add(tree);
    yield tree;
    const entries = await readListing(store, tree);
    const contents = entries.flatMap((entry) => ('tree' in entry ? [] : [entry.content]));
    yield* namesOf(store, contents, seen);
    yield* namesOfTrees(
      store,
      entries.flatMap((entry) => ('tree' in entry ? [entry.tree] : [])),
      seen,
    );
  }
}

/** Whether a name cannot lead out of its folder. The author of a backup is not trusted. */
function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}
