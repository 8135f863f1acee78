import { statSync } from 'node:fs';
import { link, mkdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import type { BlockStore } from '../blocks/block-store.ts';
import { writeStoredFile } from '../blocks/stored-file.ts';
import { type FileEntry, readListing } from './stored-tree.ts';

const FILES_AT_ONCE = 8;
/** Tolerance in ms for modification times, because some file systems round them. */
const TIME_TOLERANCE_MS = 2;

/** Writes folders of a backup. A file that an interrupted restore has completed is not written again. */
export class TreeRestorer {
  readonly #store: BlockStore;
  readonly #onBytes: (bytes: number) => void;
  /** Restored files with several hard links, by inode. */
  readonly #linked = new Map<string, { path: string; content: string }>();

  constructor(store: BlockStore, onBytes: (bytes: number) => void) {
    this.#store = store;
    this.#onBytes = onBytes;
  }

  /** Restores a tree into a folder. @throws AppError `storage_failed` when a block is missing or damaged. */
  async restore(tree: string, toFolder: string): Promise<void> {
    await mkdir(toFolder, { recursive: true });
    const entries = await readListing(this.#store, tree);
    for (const entry of entries) if ('tree' in entry) await this.restore(entry.tree, join(toFolder, entry.name));
    const files = entries.filter((entry) => 'content' in entry);
    const restore = (file: FileEntry) => this.#restoreFile(file, join(toFolder, file.name));
    // One after the other, because the later files are hard links to the first.
    for (const file of files.filter(({ inode }) => inode !== undefined)) await restore(file);
    const single = files.filter(({ inode }) => inode === undefined);
    await pMap(single, restore, { concurrency: FILES_AT_ONCE });
  }

  async #restoreFile(file: FileEntry, path: string): Promise<void> {
    if (!isRestored(file, path) && !(await this.#linkKnown(file, path))) await this.#write(file, path);
    if (file.inode !== undefined) this.#linked.set(file.inode, { path, content: JSON.stringify(file.content) });
    this.#onBytes(file.bytes);
  }

  async #linkKnown(file: FileEntry, path: string): Promise<boolean> {
    const known = file.inode === undefined ? undefined : this.#linked.get(file.inode);
    if (known === undefined || known.content !== JSON.stringify(file.content)) return false;
    await rm(path, { force: true });
    return link(known.path, path).then(
      () => true,
      // Some file systems have no hard links.
      () => false,
    );
  }

  async #write(file: FileEntry, path: string): Promise<void> {
    const partial = `${path}.partial`;
    await writeStoredFile(this.#store, file.content, partial);
    await utimes(partial, file.mtime_ms / 1000, file.mtime_ms / 1000);
    await rename(partial, path);
  }
}

/** Whether a file is complete: its modification time is set last. */
function isRestored({ bytes, mtime_ms }: FileEntry, path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.size === bytes && Math.abs(found.mtimeMs - mtime_ms) < TIME_TOLERANCE_MS;
}
