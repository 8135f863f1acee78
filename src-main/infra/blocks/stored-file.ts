import { type FileHandle, open, rm } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';
import type { BlockStore } from './block-store.ts';
import { NAME_BYTES, PackFile } from './pack-file.ts';

/** Size of a database page in bytes. Larger blocks would store more unchanged bytes. */
const PAGE_BYTES = 4096;
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Minimum number of bytes read from a file at once. */
const READ_BYTES = 1024 * 1024;
/** Number of names in a list block. A full list has 4096 bytes, one page, and covers about one changed region of a file. */
const NAMES_PER_LIST = 128;
/** Maximum number of blocks of a file without lists. */
const MAX_UNLISTED_BLOCKS = 16;

/**
 * Names of the blocks of a file, in order; for a large file, names of the blocks that list them, so that unchanged lists are stored once.
 */
export type FileContent = { blocks: string[] } | { lists: string[] };

/**
 * How a file is cut into blocks. `pages`: a database, which changes in scattered pages. `chunks`: a file that is appended to or never
 * changes.
 * `pack`: a pack of another store, cut into that pack's own blocks, so that both stores have equal blocks.
 */
export type Cut = 'pages' | 'chunks' | 'pack';

export interface StoredFile {
  content: FileContent;
  n_blocks: number;
  n_new_blocks: number;
  new_bytes: number;
}

/**
 * Adds a file to a store; {@link BlockStore.commit} makes it durable.
 * @param options `length`: number of bytes from the start of the file to store (default: all). `is_temporary`: the file is on the file
 * system
 * of the store, and is deleted or moved into the store. `turn`: awaited after each read, so that background work gives way.
 */
export async function storeFile(
  store: BlockStore,
  path: string,
  options: { cut: Cut; length?: number; is_temporary?: boolean; turn?: (() => Promise<void>) | undefined },
): Promise<StoredFile> {
  const { cut, length = Number.POSITIVE_INFINITY, is_temporary = false, turn } = options;
  const source = await open(path, 'r');
  try {
    const bytes = Math.min(length, (await source.stat()).size);
    const sizes = cut === 'pack' ? await packSizes(path, bytes) : evenSizes(bytes, cut);
    const add = is_temporary && store.isEmpty ? await store.adopt(path) : (block: Buffer) => store.add(block);
    const names: string[] = [];
    const stored = { n_new_blocks: 0, new_bytes: 0 };
    for await (const block of readBlocks(source, sizes, turn)) {
      const { name, is_new } = await add(block);
      names.push(name);
      if (is_new) stored.n_new_blocks += 1;
      if (is_new) stored.new_bytes += block.length;
    }
    return { content: await listed(store, names), n_blocks: names.length, ...stored };
  } finally {
    await source.close();
    if (is_temporary) await rm(path, { force: true });
  }
}

/**
 * Restores a stored file.
 * @param onBytes Receives the number of bytes written, and their total.
 * @throws AppError `storage_failed` when a block is missing or damaged.
 */
export async function writeStoredFile(
  store: BlockStore,
  content: FileContent,
  path: string,
  onBytes: (done: number, total: number) => void = () => undefined,
): Promise<void> {
  const names = await blocksOf(store, content);
  const total = store.bytesOf(names);
  const target = await open(path, 'w');
  try {
    let done = 0;
    for await (const bytes of store.readAll(names)) {
      await target.writeFile(bytes);
      done += bytes.length;
      onBytes(done, total);
    }
    await target.sync();
  } finally {
    await target.close();
  }
}

/** Reads a small file. @throws AppError `storage_failed` when a block is missing or damaged. */
export async function readStoredFile(store: BlockStore, content: FileContent): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for await (const block of store.readAll(await blocksOf(store, content))) blocks.push(block);
  return Buffer.concat(blocks);
}

/**
 * Yields the names of all blocks that files need, lists included.
 * @param seen Names of lists that were returned before. Lists that are returned now are added.
 * @throws AppError `storage_failed` when a list is missing or damaged.
 */
export async function* namesOf(
  store: BlockStore,
  contents: Iterable<FileContent>,
  seen = new Set<string>(),
): AsyncGenerator<string> {
  for (const content of contents) {
    const lists = 'lists' in content ? content.lists.filter((name) => !seen.has(name)) : [];
    for (const name of lists) seen.add(name);
    yield* lists;
    yield* await blocksOf(store, 'lists' in content ? { lists } : content);
  }
}

/** Whether a store has all blocks of a file and none of them is known to be damaged. */
export async function isFileStored(
  store: BlockStore,
  content: FileContent,
  damaged: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  const isSound = (name: string) => store.has(name) && !damaged.has(name);
  if ('lists' in content && !content.lists.every(isSound)) return false;
  try {
    return (await blocksOf(store, content)).every(isSound);
  } catch (error) {
    if (error instanceof AppError && error.code === 'storage_failed') return false;
    throw error;
  }
}

/**
 * Names of the blocks of a file that are missing or damaged. If a list is unreadable, the blocks that it names are unknown and only the
 * list is returned.
 */
export async function unreadableBlocks(
  store: BlockStore,
  content: FileContent,
  damaged: ReadonlySet<string>,
): Promise<string[]> {
  const isUnreadable = (name: string) => !store.has(name) || damaged.has(name);
  if ('blocks' in content) return content.blocks.filter(isUnreadable);
  const lists = content.lists.filter(isUnreadable);
  const named = await blocksOf(store, { lists: content.lists.filter((name) => !isUnreadable(name)) });
  return [...lists, ...named.filter(isUnreadable)];
}

async function blocksOf(store: BlockStore, content: FileContent): Promise<string[]> {
  if ('blocks' in content) return content.blocks;
  const names: string[] = [];
  for await (const lists of store.readAll(content.lists)) {
    for (let at = 0; at < lists.length; at += NAME_BYTES) names.push(lists.toString('hex', at, at + NAME_BYTES));
  }
  return names;
}

async function listed(store: BlockStore, names: string[]): Promise<FileContent> {
  if (names.length <= MAX_UNLISTED_BLOCKS) return { blocks: names };
  const lists: string[] = [];
  for (let at = 0; at < names.length; at += NAMES_PER_LIST) {
    const list = Buffer.from(names.slice(at, at + NAMES_PER_LIST).join(''), 'hex');
    lists.push((await store.add(list)).name);
  }
  return { lists };
}

function* evenSizes(length: number, cut: 'pages' | 'chunks'): Generator<number> {
  const size = cut === 'pages' ? PAGE_BYTES : CHUNK_BYTES;
  for (let at = 0; at < length; at += size) yield Math.min(size, length - at);
}

/** Sizes of the blocks of a pack, then of its index; page sizes when the index is damaged. */
async function packSizes(path: string, length: number): Promise<Iterable<number>> {
  const pack = await PackFile.open(path);
  try {
    const sizes = (await pack.readIndex()).map(({ bytes }) => bytes);
    const rest = length - sizes.reduce((sum, bytes) => sum + bytes, 0);
    return [...sizes, ...evenSizes(rest, 'pages')];
  } finally {
    await pack.close();
  }
}

/** Yields blocks of these sizes, reading several at once. Stops early when the file ends. */
async function* readBlocks(
  file: FileHandle,
  sizes: Iterable<number>,
  turn?: () => Promise<void>,
): AsyncGenerator<Buffer> {
  let waiting: number[] = [];
  let [at, waitingBytes] = [0, 0];
  const read = async function* () {
    const bytes = Buffer.allocUnsafe(waitingBytes);
    const { bytesRead } = await file.read(bytes, 0, waitingBytes, at);
    let from = 0;
    for (const size of waiting) {
      if (from < bytesRead) yield bytes.subarray(from, Math.min(from + size, bytesRead));
      from += size;
    }
    await turn?.();
    at += waitingBytes;
    waiting = [];
    waitingBytes = 0;
  };
  for (const size of sizes) {
    waiting.push(size);
    waitingBytes += size;
    if (waitingBytes >= READ_BYTES) yield* read();
  }
  if (waitingBytes > 0) yield* read();
}
