import { existsSync, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import { BLOCK_BYTES, blockPath, keepBlocks } from '../blocks/blocks.ts';
import { type KeptEntry, type KeptFile, keepListing, readListing } from './kept-tree.ts';

/** Databases change in scattered pages, and what snapshots keep of them begins as they did; other files are appended to or never change. */
const DATABASE_FILE = /\.(db|pages)$/;
const LARGE_BLOCK_BYTES = 4 * 1024 * 1024;
const FILES_AT_ONCE = 8;

/** How a folder is kept. */
export interface KeepOptions {
  /** What the backup before has of it; undefined where it has nothing. */
  former?: string | undefined;
  /** Files that are appended to meanwhile, by path below the folder, and how much of each belongs to what is kept. */
  lengths?: ReadonlyMap<string, number>;
  /** Names directly in the folder that are passed over. */
  isPassedOver?: (name: string) => boolean;
}

/**
 * Puts folders into a backup's blocks. A file that is as long and as old as the backup before has it is not read again; of others only the
 * blocks are written that no backup has.
 */
export class TreeKeeper {
  readonly #blocksFolder: string;
  readonly #onBytes: (bytes: number) => void;
  /** Of all that is kept, and of what had to be written for it. */
  readonly total = { n_files: 0, bytes: 0, new_bytes: 0 };

  /** @param onBytes Hears of every file that is kept, written or not. */
  constructor(blocksFolder: string, onBytes: (bytes: number) => void) {
    this.#blocksFolder = blocksFolder;
    this.#onBytes = onBytes;
  }

  /** @returns The name of the folder's listing. A file that is deleted meanwhile is left out. */
  async keepFolder(folder: string, options: KeepOptions = {}): Promise<string> {
    const former = await this.#readFormer(options.former);
    const found = (await readdir(folder, { withFileTypes: true }).catch(noneIfMissing)).filter(
      ({ name }) => !name.endsWith('.partial') && !options.isPassedOver?.(name),
    );
    const entries: KeptEntry[] = [];
    for (const { name } of found.filter((entry) => entry.isDirectory())) {
      const known = former.get(name);
      const tree = await this.keepFolder(join(folder, name), {
        former: known && 'tree' in known ? known.tree : undefined,
        ...(options.lengths && { lengths: below(options.lengths, name) }),
      });
      entries.push({ name, tree });
    }
    const keep = async (name: string) => {
      const known = former.get(name);
      const kept = await this.keepFile(join(folder, name), name, {
        former: known && 'blocks' in known ? known : undefined,
        length: options.lengths?.get(name),
      });
      if (kept) entries.push(kept);
    };
    const files = found.filter((entry) => entry.isFile());
    await pMap(files, ({ name }) => keep(name), { concurrency: FILES_AT_ONCE });
    return this.keepListing(entries);
  }

  /** @returns Undefined where there is no such file any more. */
  async keepFile(
    path: string,
    name: string,
    options: { former?: KeptFile | undefined; length?: number | undefined } = {},
  ): Promise<KeptFile | undefined> {
    try {
      const found = await stat(path);
      const kept = await this.#keepFile(path, name, found, options);
      this.total.n_files += 1;
      this.total.bytes += kept.bytes;
      this.#onBytes(kept.bytes);
      return kept;
    } catch (error) {
      return unlessMissing(error);
    }
  }

  async keepListing(entries: readonly KeptEntry[]): Promise<string> {
    return (await keepListing(entries, this.#blocksFolder)).name;
  }

  async #keepFile(
    path: string,
    name: string,
    found: Stats,
    { former, length = found.size }: { former?: KeptFile | undefined; length?: number | undefined },
  ): Promise<KeptFile> {
    const bytes = Math.min(length, found.size);
    const kept = {
      name,
      bytes,
      mtime_ms: found.mtimeMs,
      ...(found.nlink > 1 && { inode: `${found.dev}:${found.ino}` }),
    };
    if (former?.bytes === bytes && former.mtime_ms === found.mtimeMs && this.#areThere(former.blocks)) {
      return { ...kept, blocks: former.blocks };
    }
    const { blocks, new_bytes } = await keepBlocks(path, this.#blocksFolder, {
      limit_bytes: bytes,
      block_bytes: DATABASE_FILE.test(name) ? BLOCK_BYTES : LARGE_BLOCK_BYTES,
    });
    this.total.new_bytes += new_bytes;
    return { ...kept, blocks };
  }

  #areThere(blocks: readonly string[]): boolean {
    return blocks.every((name) => existsSync(blockPath(this.#blocksFolder, name)));
  }

  /** A listing of the backup before that is damaged costs reading everything again, no more. */
  async #readFormer(tree: string | undefined): Promise<Map<string, KeptEntry>> {
    const entries = tree === undefined ? [] : await readListing(tree, this.#blocksFolder).catch(() => []);
    return new Map(entries.map((entry) => [entry.name, entry]));
  }
}

function below(lengths: ReadonlyMap<string, number>, folder: string): Map<string, number> {
  const beginning = `${folder}/`;
  return new Map(
    [...lengths].flatMap(([path, bytes]) =>
      path.startsWith(beginning) ? [[path.slice(beginning.length), bytes] as const] : [],
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
