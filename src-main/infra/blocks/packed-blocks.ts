import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { BlockIndex, type BlockPlace } from './block-index.ts';
import { PACK_EXTENSION, PackFile } from './pack-file.ts';

/** Maximum number of bytes read from a pack at once, except for a longer single block. */
const READ_BYTES = 512 * 1024;
/** Maximum number of attempts to open a pack: a sweep may delete it after it was listed. */
const MAX_OPEN_ATTEMPTS = 5;
/** Number of the pack with blocks that are added but not committed. */
const UNCOMMITTED = -1;

/** A pack and the numbers of some of its blocks. */
export type PackBlocks = [pack: PackFile, numbers: number[]];

/** Returns the name of a block: its SHA-256. */
export function nameOf(block: Buffer): string {
  return hash('sha256', block, 'hex');
}

export function missingOrDamaged(): AppError {
  return new AppError('storage_failed', message('stored_block_damaged'));
}

/**
 * The blocks in the packs of a folder, by number, as they were when the folder was opened: packs that a sweep deletes stay readable until
 * {@link close}. Blocks that are added later have a name and a number, but cannot be read.
 */
export class PackedBlocks {
  readonly #packs: readonly PackFile[];
  readonly #index = new BlockIndex();

  private constructor(packs: readonly PackFile[]) {
    this.#packs = packs;
  }

  static async open(folder: string): Promise<PackedBlocks> {
    for (let attempt = 1; ; attempt += 1) {
      const packs: PackFile[] = [];
      try {
        for (const path of await listPacks(folder)) packs.push(await PackFile.open(path));
        const blocks = new PackedBlocks(packs);
        for (const [number, pack] of packs.entries())
          for (const entry of await pack.readIndex()) blocks.#index.add(entry, number);
        return blocks;
      } catch (error) {
        await Promise.all(packs.map((pack) => pack.close()));
        if (!isMissing(error) || attempt === MAX_OPEN_ATTEMPTS) throw error;
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#packs.map((pack) => pack.close()));
  }

  get isEmpty(): boolean {
    return this.#packs.length === 0 && this.#index.count === 0;
  }

  has(name: string): boolean {
    return this.#index.find(name) !== undefined;
  }

  /** Adds a block that is not committed. */
  note(name: string, bytes: number): void {
    this.#index.add({ name: Buffer.from(name, 'hex'), offset: 0, bytes }, UNCOMMITTED);
  }

  /** @throws AppError `storage_failed` when the block is missing. */
  numberOf(name: string): number {
    const number = this.#index.find(name);
    if (number === undefined) throw missingOrDamaged();
    return number;
  }

  nameOf(number: number): string {
    return this.#index.nameOf(number);
  }

  placeOf(number: number): BlockPlace {
    return this.#index.placeOf(number);
  }

  /** Total length in bytes. */
  bytesOf(numbers: readonly number[]): number {
    return numbers.reduce((sum, number) => sum + this.#index.placeOf(number).bytes, 0);
  }

  /** Whether this is the block that is read by its name: several packs may have equal blocks. */
  isFirst(number: number): boolean {
    return this.#index.find(this.#index.nameOf(number)) === number;
  }

  /** Returns an array with 1 for each block that is read by one of the names. */
  async flagsOf(names: AsyncIterable<string>): Promise<Uint8Array> {
    const flags = new Uint8Array(this.#index.count);
    for await (const name of names) {
      const number = this.#index.find(name);
      if (number !== undefined) flags[number] = 1;
    }
    return flags;
  }

  /** Returns the matching blocks of each pack, in the order of the file. */
  byPack(matches: (number: number) => boolean): PackBlocks[] {
    const found = this.#packs.map((pack): PackBlocks => [pack, []]);
    for (let number = 0; number < this.#index.count; number += 1)
      if (matches(number)) found[this.#index.placeOf(number).pack]?.[1].push(number);
    return found;
  }

  /**
   * Reads blocks in this order, and several at once when they are adjacent in a pack.
   * @yields The bytes of adjacent blocks, and the names of those that are damaged.
   * @throws AppError `storage_failed` when a block is not committed.
   */
  async *read(numbers: readonly number[]): AsyncGenerator<{ bytes: Buffer; damaged: string[] }> {
    for (const run of this.#runsOf(numbers)) yield await this.#readRun(run);
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
    const pack = this.#packs[places[0]?.pack ?? UNCOMMITTED];
    // A lost block that was added again is missing until the commit.
    if (!pack) throw missingOrDamaged();
    const bytes = await pack.read(start, this.bytesOf(run));
    const damaged = run.flatMap((number, at) => {
      const { offset = 0, bytes: size = 0 } = places[at] ?? {};
      const name = this.#index.nameOf(number);
      return nameOf(bytes.subarray(offset - start, offset - start + size)) === name ? [] : [name];
    });
    return { bytes, damaged };
  }
}

async function listPacks(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .filter((name) => name.endsWith(PACK_EXTENSION))
    .toSorted()
    .map((name) => join(folder, name));
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
