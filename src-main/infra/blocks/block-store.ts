import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError, isDiskFull } from '../../contract/errors.ts';
import { BlockIndex, type BlockPlace } from './block-index.ts';
import { PACK_EXTENSION, PackFile } from './pack-file.ts';
import { PackWriter } from './pack-writer.ts';

/** Maximum number of bytes read from a pack at once, except for a longer single block. */
const READ_BYTES = 512 * 1024;
/** Maximum number of attempts to open a pack: a sweep may delete it after it was listed. */
const MAX_OPEN_ATTEMPTS = 5;
/** Minimum share of a pack's bytes that is needed. Below it a sweep writes the needed blocks to a new pack. */
const MIN_NEEDED_SHARE = 0.75;
/** Packs below this length in bytes are merged when there are more than `count` of them. */
const SMALL_PACKS = { bytes: 4 * 1024 * 1024, count: 64 };
/** Number of the pack with blocks that are added but not committed. */
const UNCOMMITTED = -1;

/** A pack and the numbers of some of its blocks. */
type PackBlocks = [pack: PackFile, numbers: number[]];

/**
 * A folder of packs with blocks that are named by their SHA-256, so that equal blocks are stored once. Snapshots, clones and backups are
 * lists
 * of such names. A store shows the folder as it was when the store was opened: packs that a sweep deletes stay readable until {@link
 * close}.
 */
export class BlockStore {
  readonly #folder: string;
  readonly #packs: readonly PackFile[];
  readonly #index = new BlockIndex();
  #writer: PackWriter | undefined;

  private constructor(folder: string, packs: readonly PackFile[]) {
    this.#folder = folder;
    this.#packs = packs;
  }

  static async open(folder: string): Promise<BlockStore> {
    for (let attempt = 1; ; attempt += 1) {
      const packs: PackFile[] = [];
      try {
        for (const path of await listPacks(folder)) packs.push(await PackFile.open(path));
        const store = new BlockStore(folder, packs);
        for (const [number, pack] of packs.entries())
          for (const entry of await pack.readIndex()) store.#index.add(entry, number);
        return store;
      } catch (error) {
        await Promise.all(packs.map((pack) => pack.close()));
        if (!isMissing(error) || attempt === MAX_OPEN_ATTEMPTS) throw error;
      }
    }
  }

  /** Closes all packs and discards blocks that are not committed. */
  async close(): Promise<void> {
    await this.#writer?.abandon();
    await Promise.all(this.#packs.map((pack) => pack.close()));
  }

  get isEmpty(): boolean {
    return this.#packs.length === 0 && this.#index.count === 0;
  }

  has(name: string): boolean {
    return this.#index.find(name) !== undefined;
  }

  /** Total length of blocks in bytes. @throws AppError `storage_failed` when one is missing. */
  bytesOf(names: readonly string[]): number {
    return names.reduce((sum, name) => sum + this.#placeOf(name).bytes, 0);
  }

  /** Stores a block if the store does not have it. Stores that are opened after {@link commit} can read it. */
  async add(block: Buffer): Promise<{ name: string; is_new: boolean }> {
    const name = nameOf(block);
    if (this.has(name)) return { name, is_new: false };
    this.#index.add({ name: Buffer.from(name, 'hex'), offset: 0, bytes: block.length }, UNCOMMITTED);
    await this.#writing().add(name, block);
    return { name, is_new: true };
  }

  /**
   * Makes a file the start of a pack in an empty store, so that its content is not copied. The file is moved.
   * @returns A function that adds the file's blocks, in order.
   */
  async adopt(file: string): Promise<(block: Buffer) => { name: string; is_new: boolean }> {
    const writer = this.#writing();
    await writer.adopt(file);
    return (block) => {
      const name = nameOf(block);
      const isNew = !this.has(name);
      writer.note(name, block.length);
      this.#index.add({ name: Buffer.from(name, 'hex'), offset: 0, bytes: block.length }, UNCOMMITTED);
      return { name, is_new: isNew };
    };
  }

  /** Makes all added blocks durable. */
  async commit(): Promise<void> {
    await this.#writer?.finish();
  }

  /** Reads a block. @throws AppError `storage_failed` when it is missing or damaged. */
  async read(name: string): Promise<Buffer> {
    const { bytes, damaged } = await this.#readRun([this.#numberOf(name)]);
    if (damaged.length > 0) throw damagedError();
    return bytes;
  }

  /** Yields blocks in the order of names, and reads several at once when they are adjacent in a pack. @throws AppError as {@link read}. */
  async *readAll(names: readonly string[]): AsyncGenerator<Buffer> {
    const numbers = names.map((name) => this.#numberOf(name));
    for (const run of this.#runsOf(numbers)) {
      const { bytes, damaged } = await this.#readRun(run);
      if (damaged.length > 0) throw damagedError();
      yield bytes;
    }
  }

  /**
   * Reads and verifies blocks in the order of the packs, each once.
   * @param options `names`: blocks to verify (default: all). `onBytes` receives the number of verified bytes and their total.
   * @returns Names of damaged blocks, without missing ones.
   */
  async findDamaged(
    options: {
      names?: AsyncIterable<string>;
      signal?: AbortSignal;
      onBytes?: (done: number, total: number) => void;
    } = {},
  ): Promise<Set<string>> {
    const wanted = options.names && (await this.#flagsOf(options.names));
    const numbers = this.#blocksByPack((number) => (wanted ? wanted[number] === 1 : this.#isFirst(number))).flatMap(
      ([, ofPack]) => ofPack,
    );
    const total = numbers.reduce((sum, number) => sum + this.#index.placeOf(number).bytes, 0);
    const damaged = new Set<string>();
    let done = 0;
    for (const run of this.#runsOf(numbers)) {
      options.signal?.throwIfAborted();
      const read = await this.#readRun(run);
      for (const name of read.damaged) damaged.add(name);
      done += read.bytes.length;
      options.onBytes?.(done, total);
    }
    return damaged;
  }

  /** Removes damaged blocks from their packs, so that they are stored again with the next file that contains them. */
  async drop(damaged: ReadonlySet<string>): Promise<void> {
    const numbers = [...damaged].map((name) => this.#numberOf(name));
    const packs = new Set(numbers.map((number) => this.#index.placeOf(number).pack));
    const isDamaged = new Set(numbers);
    await this.#rewrite(
      this.#blocksByPack((number) => !isDamaged.has(number)).filter((_blocks, pack) => packs.has(pack)),
    );
  }

  /**
   * Deletes packs without a needed block, and writes the needed blocks of packs with many unneeded bytes to a new pack. A pack that is
   * shared
   * with another folder stays while any of its blocks is needed, because a copy would take more space.
   * @param names Needed blocks. When they cannot be read, because a list of them is damaged, nothing is deleted.
   */
  async sweep(names: AsyncIterable<string>): Promise<void> {
    await deletePartial(this.#folder);
    const needed = await this.#flagsOf(names).catch(undefinedIfDamaged);
    if (!needed) return;
    const all = this.#blocksByPack(() => true);
    const kept = this.#blocksByPack((number) => needed[number] === 1);
    const bytesIn = (numbers: readonly number[]) =>
      numbers.reduce((sum, number) => sum + this.#index.placeOf(number).bytes, 0);
    // A pack without readable blocks has a damaged index, so its content is unknown and it stays.
    const known = kept.filter((_blocks, pack) => (all[pack]?.[1].length ?? 0) > 0);
    for (const [pack, numbers] of known) if (numbers.length === 0) await rm(pack.path, { force: true });
    const own = known.filter(([pack, numbers]) => numbers.length > 0 && pack.n_links === 1);
    const small = own.filter(([pack]) => pack.bytes < SMALL_PACKS.bytes);
    const sparse = own.filter(([pack, numbers]) => bytesIn(numbers) < pack.bytes * MIN_NEEDED_SHARE);
    const merged = small.length > SMALL_PACKS.count ? new Set([...sparse, ...small]) : sparse;
    // A full disk has no space for copies: the packs stay as they are.
    await this.#rewrite([...merged]).catch(unlessFull);
  }

  /**
   * Adds blocks to another folder: by hard links to their packs, or as copies where the file system has no hard links.
   * @throws AppError `storage_failed` when a block is missing.
   */
  async linkTo(names: AsyncIterable<string>, toFolder: string): Promise<void> {
    const needed = new Set<number>();
    for await (const name of names) needed.add(this.#numberOf(name));
    await mkdir(toFolder, { recursive: true });
    for (const blocks of this.#blocksByPack((number) => needed.has(number))) {
      const [pack, numbers] = blocks;
      const to = join(toFolder, basename(pack.path));
      if (numbers.length > 0 && !existsSync(to)) await link(pack.path, to).catch(() => this.#copy([blocks], toFolder));
    }
  }

  #writing(): PackWriter {
    this.#writer ??= new PackWriter(this.#folder);
    return this.#writer;
  }

  #numberOf(name: string): number {
    const number = this.#index.find(name);
    if (number === undefined) throw damagedError();
    return number;
  }

  #placeOf(name: string): BlockPlace {
    return this.#index.placeOf(this.#numberOf(name));
  }

  /** Whether this is the block that is read by its name: several packs may have equal blocks. */
  #isFirst(number: number): boolean {
    return this.#index.find(this.#index.nameOf(number)) === number;
  }

  /** Returns an array with 1 for each block that is read by one of the names. */
  async #flagsOf(names: AsyncIterable<string>): Promise<Uint8Array> {
    const flags = new Uint8Array(this.#index.count);
    for await (const name of names) {
      const number = this.#index.find(name);
      if (number !== undefined) flags[number] = 1;
    }
    return flags;
  }

  /** Returns the matching blocks of each pack, in the order of the file. */
  #blocksByPack(matches: (number: number) => boolean): PackBlocks[] {
    const found = this.#packs.map((pack): PackBlocks => [pack, []]);
    for (let number = 0; number < this.#index.count; number += 1)
      if (matches(number)) found[this.#index.placeOf(number).pack]?.[1].push(number);
    return found;
  }

  /** Groups blocks that are adjacent in a pack, up to {@link READ_BYTES} per group. */
  *#runsOf(numbers: readonly number[]): Generator<number[]> {
    let run: number[] = [];
    let [pack, end, runBytes] = [UNCOMMITTED, 0, 0];
    for (const number of numbers) {
      const place = this.#index.placeOf(number);
      const isNext = place.pack === pack && place.offset === end && runBytes + place.bytes <= READ_BYTES;
      if (!isNext && run.length > 0) {
        yield run;
        run = [];
      }
      runBytes = run.length === 0 ? place.bytes : runBytes + place.bytes;
      [pack, end] = [place.pack, place.offset + place.bytes];
      run.push(number);
    }
    if (run.length > 0) yield run;
  }

  /** @param run Adjacent blocks of a pack. */
  async #readRun(run: readonly number[]): Promise<{ bytes: Buffer; damaged: string[] }> {
    const places = run.map((number) => this.#index.placeOf(number));
    const start = places[0]?.offset ?? 0;
    const length = places.reduce((sum, { bytes }) => sum + bytes, 0);
    const pack = this.#packs[places[0]?.pack ?? UNCOMMITTED];
    if (!pack) throw new Error('blocks are read before they are committed');
    const bytes = await pack.read(start, length);
    const damaged = run.flatMap((number, at) => {
      const { offset = 0, bytes: size = 0 } = places[at] ?? {};
      const name = this.#index.nameOf(number);
      return nameOf(bytes.subarray(offset - start, offset - start + size)) === name ? [] : [name];
    });
    return { bytes, damaged };
  }

  /** Replaces packs by new ones with only the given blocks. */
  async #rewrite(packs: readonly PackBlocks[]): Promise<void> {
    await this.#copy(packs, this.#folder);
    for (const [pack] of packs) await rm(pack.path, { force: true });
  }

  async #copy(packs: readonly PackBlocks[], toFolder: string): Promise<void> {
    const writer = new PackWriter(toFolder);
    try {
      for (const [pack, numbers] of packs) {
        for (const number of numbers) {
          const { offset, bytes } = this.#index.placeOf(number);
          await writer.add(this.#index.nameOf(number), await pack.read(offset, bytes));
        }
      }
      await writer.finish();
    } finally {
      await writer.abandon();
    }
  }
}

async function listPacks(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .filter((name) => name.endsWith(PACK_EXTENSION))
    .toSorted()
    .map((name) => join(folder, name));
}

/** Deletes incomplete packs of interrupted writers. */
async function deletePartial(folder: string): Promise<void> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  for (const name of names)
    if (name.endsWith(`${PACK_EXTENSION}.partial`)) await rm(join(folder, name), { force: true });
}

function nameOf(block: Buffer): string {
  return hash('sha256', block, 'hex');
}

function damagedError(): AppError {
  return new AppError('storage_failed', 'A stored block is missing or damaged');
}

function undefinedIfDamaged(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'storage_failed') return undefined;
  throw error;
}

function unlessFull(error: unknown): void {
  if (!isDiskFull(error)) throw error;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
