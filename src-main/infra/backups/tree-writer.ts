import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import type { BlockStore } from '../blocks/block-store.ts';
import { PACK_EXTENSION } from '../blocks/pack-file.ts';
import { type Cut, isFileStored, storeFile } from '../blocks/stored-file.ts';
import { type FileEntry, readListing, storeListing, type TreeEntry } from './stored-tree.ts';

const FILES_AT_ONCE = 8;

/** How a folder is stored. */
export interface FolderOptions {
  /** Listing of the folder in the previous backup. */
  previous?: string | undefined;
  /** Bytes to store of files that are appended to meanwhile, by path below the folder. */
  lengths?: ReadonlyMap<string, number>;
  /** Whether an entry directly in the folder is left out. */
  isSkipped?: (name: string) => boolean;
}

/**
 * Stores folders in the block store of a backup. A file with the length and modification time of the previous backup is not read again. Of
 * other files only blocks are written that no backup has.
 */
export class TreeWriter {
  readonly #store: BlockStore;
  readonly #onBytes: (bytes: number) => void;
  /** Files with several hard links by inode: snapshots share most files of their dataset. */
  readonly #linked = new Map<string, FileEntry>();
  /** Everything that is stored, and the bytes that had to be written for it. */
  readonly total = { n_files: 0, bytes: 0, new_bytes: 0 };

  /** @param onBytes Receives the length of each stored file, written or not. */
  constructor(store: BlockStore, onBytes: (bytes: number) => void) {
    this.#store = store;
    this.#onBytes = onBytes;
  }

  /** @returns The name of the folder's listing. A file that is deleted meanwhile is left out. */
  async storeFolder(folder: string, options: FolderOptions = {}): Promise<string> {
    const previous = await this.#readPrevious(options.previous);
    const found = (await readdir(folder, { withFileTypes: true }).catch(noneIfMissing)).filter(
      ({ name }) => !name.endsWith('.partial') && !options.isSkipped?.(name),
    );
    const entries: TreeEntry[] = [];
    for (const { name } of found.filter((entry) => entry.isDirectory())) {
      const known = previous.get(name);
      const tree = await this.storeFolder(join(folder, name), {
        previous: known && 'tree' in known ? known.tree : undefined,
        ...(options.lengths && { lengths: below(options.lengths, name) }),
      });
      entries.push({ name, tree });
    }
    const store = async (name: string) => {
      const known = previous.get(name);
      const entry = await this.storeFile(join(folder, name), name, {
        previous: known && 'content' in known ? known : undefined,
        length: options.lengths?.get(name),
      });
      if (entry) entries.push(entry);
    };
    const files = found.filter((entry) => entry.isFile());
    await pMap(files, ({ name }) => store(name), { concurrency: FILES_AT_ONCE });
    return storeListing(this.#store, entries);
  }

  /** @returns Undefined when the file does not exist any more. */
  async storeFile(
    path: string,
    name: string,
    options: { previous?: FileEntry | undefined; length?: number | undefined } = {},
  ): Promise<FileEntry | undefined> {
    try {
      const found = await stat(path);
      const entry = await this.#storeFile(path, name, found, options);
      if (entry.inode !== undefined) this.#linked.set(entry.inode, entry);
      this.total.n_files += 1;
      this.total.bytes += entry.bytes;
      this.#onBytes(entry.bytes);
      return entry;
    } catch (error) {
      return unlessMissing(error);
    }
  }

  async #storeFile(
    path: string,
    name: string,
    found: Stats,
    { previous, length = found.size }: { previous?: FileEntry | undefined; length?: number | undefined },
  ): Promise<FileEntry> {
    const bytes = Math.min(length, found.size);
    const inode = found.nlink > 1 ? `${found.dev}:${found.ino}` : undefined;
    const entry = { name, bytes, mtime_ms: found.mtimeMs, ...(inode !== undefined && { inode }) };
    for (const known of [inode === undefined ? undefined : this.#linked.get(inode), previous]) {
      const isSame = known?.bytes === bytes && known.mtime_ms === found.mtimeMs;
      if (isSame && (await isFileStored(this.#store, known.content))) return { ...entry, content: known.content };
    }
    const { content, new_bytes } = await storeFile(this.#store, path, { cut: cutOf(name), length: bytes });
    this.total.new_bytes += new_bytes;
    return { ...entry, content };
  }

  /** A damaged listing of the previous backup only costs reading all files again. */
  async #readPrevious(tree: string | undefined): Promise<Map<string, TreeEntry>> {
    const entries = tree === undefined ? [] : await readListing(this.#store, tree).catch(() => []);
    return new Map(entries.map((entry) => [entry.name, entry]));
  }
}

function cutOf(name: string): Cut {
  if (name.endsWith(PACK_EXTENSION)) return 'pack';
  return name.endsWith('.db') ? 'pages' : 'chunks';
}

function below(lengths: ReadonlyMap<string, number>, folder: string): Map<string, number> {
  const parent = `${folder}/`;
  return new Map(
    [...lengths].flatMap(([path, bytes]) =>
      path.startsWith(parent) ? [[path.slice(parent.length), bytes] as const] : [],
    ),
  );
}

function noneIfMissing(error: unknown): [] {
  unlessMissing(error);
  return [];
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
