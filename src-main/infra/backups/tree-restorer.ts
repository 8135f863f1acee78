import { existsSync, statSync } from 'node:fs';
import { link, mkdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import { joinBlocks, readBlock } from '../blocks/blocks.ts';
import { type KeptFile, readListing } from './kept-tree.ts';

const FILES_AT_ONCE = 8;
/** Times of files are rounded by some file systems. */
const SAME_TIME_MS = 2;

/** Every file of a tree by its path, `/` between folders, folder by folder. @throws AppError `storage_failed`. */
export async function* filesOf(tree: string, blocksFolder: string, beginning = ''): AsyncGenerator<[string, KeptFile]> {
  for (const entry of await readListing(tree, blocksFolder)) {
    if ('tree' in entry) yield* filesOf(entry.tree, blocksFolder, `${beginning}${entry.name}/`);
    else yield [`${beginning}${entry.name}`, entry];
  }
}

/**
 * Reads every block of a tree once.
 * @param onBytes Hears of every file that was looked at.
 * @param sound Blocks that were read before and are what they must be; those that are read are added.
 * @returns Paths of files that cannot be restored, the first few.
 * @throws AppError `storage_failed` when a listing is damaged.
 */
export async function findDamage(
  tree: string,
  blocksFolder: string,
  { onBytes, sound = new Set() }: { onBytes?: (bytes: number) => void; sound?: Set<number> },
): Promise<string[]> {
  const damaged: string[] = [];
  const check = async ([path, { blocks, bytes }]: [string, KeptFile]) => {
    for (const name of blocks) {
      if (sound.has(shortName(name))) continue;
      const isSound = await readBlock(blocksFolder, name).then(
        () => true,
        () => false,
      );
      if (isSound) sound.add(shortName(name));
      else damaged.push(path);
      if (!isSound) break;
    }
    onBytes?.(bytes);
  };
  await pMap(filesOf(tree, blocksFolder), check, { concurrency: FILES_AT_ONCE });
  return damaged;
}

/**
 * A block's name as a number of 52 bits, for large sets: two blocks of a million share one with a chance of one in ten thousand, and what
 * is told by it must be right even then.
 */
export function shortName(block: string): number {
  return Number.parseInt(block.slice(0, 13), 16);
}

/** Writes trees of a backup out. What an earlier run, or anybody else, has put there whole is left as it is. */
export class TreeRestorer {
  readonly #blocksFolder: string;
  readonly #onBytes: (bytes: number) => void;
  /** Where files are that have several names. */
  readonly #placed = new Map<string, { path: string; blocks: string }>();

  constructor(blocksFolder: string, onBytes: (bytes: number) => void) {
    this.#blocksFolder = blocksFolder;
    this.#onBytes = onBytes;
  }

  /** @throws AppError `storage_failed` when something of it is damaged or missing. */
  async restore(tree: string, toFolder: string): Promise<void> {
    await mkdir(toFolder, { recursive: true });
    const entries = await readListing(tree, this.#blocksFolder);
    for (const entry of entries) if ('tree' in entry) await this.restore(entry.tree, join(toFolder, entry.name));
    const files = entries.filter((entry) => 'blocks' in entry);
    const restore = (file: KeptFile) => this.#restoreFile(file, join(toFolder, file.name));
    // One after the other: the first is what the others are linked to.
    for (const file of files.filter(({ inode }) => inode !== undefined)) await restore(file);
    const single = files.filter(({ inode }) => inode === undefined);
    await pMap(single, restore, { concurrency: FILES_AT_ONCE });
  }

  async #restoreFile(file: KeptFile, path: string): Promise<void> {
    if (!isThere(file, path) && !(await this.#linkKnown(file, path))) await this.#write(file, path);
    if (file.inode !== undefined) this.#placed.set(file.inode, { path, blocks: file.blocks.join() });
    this.#onBytes(file.bytes);
  }

  /** A file that had several names gets them again. */
  async #linkKnown(file: KeptFile, path: string): Promise<boolean> {
    const known = file.inode === undefined ? undefined : this.#placed.get(file.inode);
    if (known === undefined || known.blocks !== file.blocks.join()) return false;
    await rm(path, { force: true });
    return link(known.path, path).then(
      () => true,
      // Some file systems have no hard links.
      () => false,
    );
  }

  async #write(file: KeptFile, path: string): Promise<void> {
    const partial = `${path}.partial`;
    await joinBlocks(file.blocks, this.#blocksFolder, partial);
    await utimes(partial, file.mtime_ms / 1000, file.mtime_ms / 1000);
    await rename(partial, path);
  }
}

/** A file gets its time when it is whole. */
function isThere({ bytes, mtime_ms }: KeptFile, path: string): boolean {
  const found = existsSync(path) ? statSync(path) : undefined;
  return found?.size === bytes && Math.abs(found.mtimeMs - mtime_ms) < SAME_TIME_MS;
}
