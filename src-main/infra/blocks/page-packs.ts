import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { PACK_EXTENSION, type PackedBlock, PagePack } from './page-pack.ts';

/** What is read of a pack at a time. */
const READ_BYTES = 512 * 1024;
/** A pack may be deleted between listing and opening it, when what is left of it was written to another. */
const MAX_ATTEMPTS = 5;

interface Place {
  pack: PagePack;
  block: PackedBlock;
}

/** What a block is called: SHA-256 in hexadecimal. */
export function nameOfBlock(block: Uint8Array): string {
  return hash('sha256', block, 'hex');
}

/** The packs of a folder as they are now: later ones are not seen, and those that are deleted meanwhile stay readable until they are closed. */
export class PagePacks {
  readonly packs: readonly PagePack[];
  readonly #places = new Map<string, Place>();

  private constructor(packs: readonly PagePack[]) {
    this.packs = packs;
    for (const pack of packs) {
      for (const block of pack.blocks) {
        if (!this.#places.has(block.name)) this.#places.set(block.name, { pack, block });
      }
    }
  }

  static async open(folder: string): Promise<PagePacks> {
    for (let attempt = 1; ; attempt += 1) {
      const packs: PagePack[] = [];
      try {
        for (const path of await listPacks(folder)) packs.push(await PagePack.open(path));
        return new PagePacks(packs);
      } catch (error) {
        await Promise.all(packs.map((pack) => pack.close()));
        if (!isMissing(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  has(name: string): boolean {
    return this.#places.has(name);
  }

  /** The pack that a block is read from. @throws AppError `storage_failed` where none has it. */
  packOf(name: string): PagePack {
    return this.#placeOf(name).pack;
  }

  /** How long some blocks are together. @throws AppError `storage_failed` where none has one of them. */
  bytesOf(names: readonly string[]): number {
    return names.reduce((sum, name) => sum + this.#placeOf(name).block.bytes, 0);
  }

  /** @throws AppError `storage_failed` when the block is not there or not what its name says. */
  async read(name: string): Promise<Buffer> {
    const { pack, block } = this.#placeOf(name);
    return readSound(pack, [block]);
  }

  /** Blocks in the order of their names, several at a time where they lie beside each other. @throws AppError as {@link read}. */
  async *readAll(names: readonly string[]): AsyncGenerator<Buffer> {
    for (let at = 0; at < names.length; ) {
      const { pack, blocks } = this.#runFrom(names, at);
      yield await readSound(pack, blocks);
      at += blocks.length;
    }
  }

  /** Names of blocks that are not what they were. Reads all that packs have. */
  async findDamaged(signal: AbortSignal): Promise<Set<string>> {
    const damaged = new Set<string>();
    for (const pack of this.packs) {
      for (const blocks of runsOf(pack.blocks)) {
        signal.throwIfAborted();
        for (const name of damagedOf(blocks, await pack.read(blocks))) {
          if (this.#placeOf(name).pack === pack) damaged.add(name);
        }
      }
    }
    return damaged;
  }

  async close(): Promise<void> {
    await Promise.all(this.packs.map((pack) => pack.close()));
  }

  #placeOf(name: string): Place {
    const place = this.#places.get(name);
    if (!place) throw damagedError();
    return place;
  }

  #runFrom(names: readonly string[], from: number): { pack: PagePack; blocks: PackedBlock[] } {
    const { pack, block } = this.#placeOf(names[from] ?? '');
    const blocks = [block];
    for (let at = from + 1, end = block.offset + block.bytes; at < names.length; at += 1) {
      const next = this.#placeOf(names[at] ?? '');
      if (next.pack !== pack || next.block.offset !== end) break;
      end += next.block.bytes;
      if (end - block.offset > READ_BYTES) break;
      blocks.push(next.block);
    }
    return { pack, blocks };
  }
}

async function listPacks(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .filter((name) => name.endsWith(PACK_EXTENSION))
    .toSorted()
    .map((name) => join(folder, name));
}

/** Blocks of a pack in parts that are read at a time. */
function* runsOf(blocks: readonly PackedBlock[]): Generator<PackedBlock[]> {
  let run: PackedBlock[] = [];
  for (const block of blocks) {
    const start = run[0]?.offset ?? block.offset;
    if (block.offset + block.bytes - start > READ_BYTES && run.length > 0) {
      yield run;
      run = [];
    }
    run.push(block);
  }
  if (run.length > 0) yield run;
}

async function readSound(pack: PagePack, blocks: readonly PackedBlock[]): Promise<Buffer> {
  const bytes = await pack.read(blocks);
  for (const _damaged of damagedOf(blocks, bytes)) throw damagedError();
  return bytes;
}

/** @param blocks Lie beside each other. */
function* damagedOf(blocks: readonly PackedBlock[], read: Buffer): Generator<string> {
  const start = blocks[0]?.offset ?? 0;
  for (const { name, offset, bytes } of blocks) {
    if (nameOfBlock(read.subarray(offset - start, offset - start + bytes)) !== name) yield name;
  }
}

function damagedError(): AppError {
  return new AppError('storage_failed', 'A part of what was kept is missing or damaged');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
