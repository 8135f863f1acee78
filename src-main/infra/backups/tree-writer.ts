import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import type { BlockStore } from '../blocks/block-store.ts';
import { PACK_EXTENSION } from '../blocks/pack-file.ts';
import { type Cut, isFileStored, storeFile } from '../blocks/stored-file.ts';
import { type FileEntry, readListing, storeListing, type TreeEntry } from './stored-tree.ts';

const FILES_AT_ONCE = 8;

/** Options for storing a file or folder. */
export interface StoreOptions {
  /** Number of bytes to store of files that may grow meanwhile, by path. */
  lengths?: ReadonlyMap<string, number>;
  /** Whether an entry directly in the folder is skipped. */
  isSkipped?: (name: string) => boolean;
}

/**
 * Composes the tree of a backup from files and folders. A file with the length and modification time of the previous backup is not read
 * again. Of all other files only new blocks are written.
 */
export class TreeWriter {
  readonly #store: BlockStore;
  readonly #previous: string | undefined;
  readonly #onBytes: (bytes: number) => void;
  readonly #turn: (() => Promise<void>) | undefined;
  /** Entries of the tree, by path. */
  readonly #entries = new Map<string, TreeEntry>();
  /** Listings of the previous backup that lead to stored paths. They are cached because the listing of all datasets may be long. */
  readonly #listings = new Map<string, Promise<Map<string, TreeEntry>>>();
  /** Files with several hard links, by inode: snapshots share most files of their dataset. */
  readonly #linked = new Map<string, FileEntry>();
  /** Totals of all stored files; `new_bytes`: bytes of blocks that had to be written. */
  readonly total = { n_files: 0, bytes: 0, new_bytes: 0 };

  /**
   * @param previous Tree of the previous backup.
   * @param onBytes Receives the number of bytes of each stored file, whether or not they had to be written.
   * @param turn Awaited between slices of work, which gives way: [Note: Who gives way].
   */
  constructor(
    store: BlockStore,
    previous: string | undefined,
    onBytes: (bytes: number) => void,
    turn?: () => Promise<void>,
  ) {
    this.#store = store;
    this.#previous = previous;
    this.#onBytes = onBytes;
    this.#turn = turn;
  }

  /** Stores a file or folder at a path of the tree, with `/` between folders. A missing file, or one deleted meanwhile, is left out. */
  async store(at: string, path: string, options: StoreOptions = {}): Promise<void> {
    const found = await stat(path).catch(unlessMissing);
    if (!found) return;
    const name = at.slice(at.lastIndexOf('/') + 1);
    const previous = await this.#findPrevious(at);
    const entry = found.isDirectory()
      ? await this.#storeFolder(path, name, previous, options)
      : await this.#storeFile(path, name, previous, options);
    if (entry) this.#entries.set(at, entry);
  }

  /** Adds a path from the previous backup without reading it. @returns Undefined when the previous backup does not have the path. */
  async carry(at: string): Promise<TreeEntry | undefined> {
    const entry = await this.#findPrevious(at);
    if (entry) this.#entries.set(at, entry);
    return entry;
  }

  has(at: string): boolean {
    return this.#entries.has(at);
  }

  /** Removes the stored paths for which `isRemoved` returns true. */
  remove(isRemoved: (at: string) => boolean): void {
    for (const at of [...this.#entries.keys()]) if (isRemoved(at)) this.#entries.delete(at);
  }

  /** Stores the tree's listings. @returns The name of the root listing. */
  finish(): Promise<string> {
    return this.#compose([...this.#entries].map(([at, entry]) => [at.split('/'), entry]));
  }

  /** @param entries Entries with their paths below the folder. */
  async #compose(entries: readonly [path: string[], entry: TreeEntry][]): Promise<string> {
    const composed: TreeEntry[] = [];
    for (const [name, group] of Map.groupBy(entries, ([[first = '']]) => first)) {
      const own = group.find(([path]) => path.length === 1)?.[1];
      const tree = () => this.#compose(group.map(([path, entry]) => [path.slice(1), entry]));
      composed.push(own ?? { name, tree: await tree() });
    }
    return storeListing(this.#store, composed);
  }

  async #storeFolder(
    folder: string,
    name: string,
    previous: TreeEntry | undefined,
    { lengths, isSkipped }: StoreOptions,
  ): Promise<TreeEntry> {
    const known = previous && 'tree' in previous ? await this.#list(previous.tree) : undefined;
    const found = ((await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? []).filter(
      (entry) => !entry.name.endsWith('.partial') && !isSkipped?.(entry.name),
    );
    const below = { ...(lengths && { lengths }) };
    const entries: TreeEntry[] = [];
    for (const { name } of found.filter((entry) => entry.isDirectory())) {
      entries.push(await this.#storeFolder(join(folder, name), name, known?.get(name), below));
    }
    const store = async (name: string) => {
      const entry = await this.#storeFile(join(folder, name), name, known?.get(name), below);
      if (entry) entries.push(entry);
    };
    const files = found.filter((entry) => entry.isFile());
    await pMap(files, (file) => store(file.name), { concurrency: FILES_AT_ONCE });
    return { name, tree: await storeListing(this.#store, entries) };
  }

  /** @returns Undefined when the file no longer exists. */
  async #storeFile(
    path: string,
    name: string,
    previous: TreeEntry | undefined,
    { lengths }: StoreOptions,
  ): Promise<FileEntry | undefined> {
    try {
      const found = await stat(path);
      const entry = await this.#entryOf(path, name, found, previous, lengths?.get(path));
      if (entry.inode !== undefined) this.#linked.set(entry.inode, entry);
      this.total.n_files += 1;
      this.total.bytes += entry.bytes;
      this.#onBytes(entry.bytes);
      return entry;
    } catch (error) {
      return unlessMissing(error);
    }
  }

  async #entryOf(
    path: string,
    name: string,
    found: Stats,
    previous: TreeEntry | undefined,
    length = found.size,
  ): Promise<FileEntry> {
    const bytes = Math.min(length, found.size);
    const inode = found.nlink > 1 ? `${found.dev}:${found.ino}` : undefined;
    const entry = { name, bytes, mtime_ms: found.mtimeMs, ...(inode !== undefined && { inode }) };
    const isSame = (known: FileEntry) => known.bytes === bytes && known.mtime_ms === found.mtimeMs;
    const linked = inode === undefined ? undefined : this.#linked.get(inode);
    // This writer has stored or found its blocks; blocks that it has stored cannot be read before the commit.
    if (linked && isSame(linked)) return { ...entry, content: linked.content };
    if (previous && !('tree' in previous) && isSame(previous) && (await isFileStored(this.#store, previous.content)))
      return { ...entry, content: previous.content };
    const { content, new_bytes } = await storeFile(this.#store, path, {
      cut: cutOf(name),
      length: bytes,
      turn: this.#turn,
    });
    this.total.new_bytes += new_bytes;
    return { ...entry, content };
  }

  async #findPrevious(at: string): Promise<TreeEntry | undefined> {
    let [tree, entry]: [string | undefined, TreeEntry | undefined] = [this.#previous, undefined];
    for (const name of at.split('/')) {
      if (tree === undefined) return undefined;
      const listing: Promise<Map<string, TreeEntry>> = this.#listings.get(tree) ?? this.#list(tree);
      this.#listings.set(tree, listing);
      entry = (await listing).get(name);
      tree = entry && 'tree' in entry ? entry.tree : undefined;
    }
    return entry;
  }

  /** A damaged listing of the previous backup is treated as empty, so all its files are read again. */
  async #list(tree: string): Promise<Map<string, TreeEntry>> {
    const entries = await readListing(this.#store, tree).catch(() => []);
    return new Map(entries.map((entry) => [entry.name, entry]));
  }
}

function cutOf(name: string): Cut {
  if (name.endsWith(PACK_EXTENSION)) return 'pack';
  return name.endsWith('.db') ? 'pages' : 'chunks';
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
