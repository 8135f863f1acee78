import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pMap from 'p-map';
import { AppError } from '../../contract/errors.ts';

/** Bytes of a database that one block holds: smaller ones make folders large, larger ones the next backup of scattered edits. */
export const BLOCK_BYTES = 16 * 1024;
/** What is read of a file, or put together for one, at a time. */
const READ_BYTES = 1024 * 1024;
/** Small blocks wait for the disk, large ones take memory. */
const WRITTEN_AT_ONCE = { blocks: 16, bytes: 8 * 1024 * 1024 };
/** Blocks that are being written by this thread: files that are kept at the same time may have some in common. */
const arriving = new Map<string, Promise<void>>();

export interface KeptBlocks {
  /** Names in the order of the file. */
  blocks: string[];
  /** Of blocks that were not there. */
  new_bytes: number;
}

/**
 * Keeps a file as blocks that are named by what they hold, so that equal ones are there once: `<folder>/<ab>/<sha256>`.
 * @param options `limit_bytes`: how much of the file is kept, from its beginning. `block_bytes`: of one block.
 */
export async function keepBlocks(
  file: string,
  folder: string,
  options: { block_bytes?: number; limit_bytes?: number } = {},
): Promise<KeptBlocks> {
  const { block_bytes = BLOCK_BYTES, limit_bytes = Number.POSITIVE_INFINITY } = options;
  const kept: KeptBlocks = { blocks: [], new_bytes: 0 };
  const source = await open(file, 'r');
  /** Blocks that are not kept yet. Many are read at a time: most are there already, and only looked for. */
  const missing = async function* () {
    for (let at = 0; at < limit_bytes; ) {
      const bytes = Buffer.allocUnsafe(Math.min(Math.ceil(READ_BYTES / block_bytes) * block_bytes, limit_bytes - at));
      const { bytesRead } = await source.read(bytes, 0, bytes.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      for (let from = 0; from < bytesRead; from += block_bytes) {
        const block = bytes.subarray(from, Math.min(from + block_bytes, bytesRead));
        const name = nameOf(block);
        kept.blocks.push(name);
        if (!isKept(folder, name, block)) yield { name, block };
      }
    }
  };
  try {
    await pMap(
      missing(),
      async ({ name, block }) => {
        if (await keepNamed(folder, name, block)) kept.new_bytes += block.length;
      },
      { concurrency: Math.max(1, Math.min(WRITTEN_AT_ONCE.blocks, Math.floor(WRITTEN_AT_ONCE.bytes / block_bytes))) },
    );
  } finally {
    await source.close();
  }
  return kept;
}

/** Keeps one block. */
export async function keepBlock(folder: string, block: Buffer): Promise<{ name: string; is_new: boolean }> {
  const name = nameOf(block);
  return { name, is_new: await keepNamed(folder, name, block) };
}

/** @throws AppError `storage_failed` when the block is not there or not what its name says. */
export async function readBlock(folder: string, name: string): Promise<Buffer> {
  const block = await readFile(blockPath(folder, name)).catch(() => undefined);
  if (block === undefined || nameOf(block) !== name) {
    throw new AppError('storage_failed', 'A part of what was kept is missing or damaged');
  }
  return block;
}

/**
 * Writes the file again that blocks were made of.
 * @throws AppError `storage_failed` when a block is not there or not what its name says.
 */
export async function joinBlocks(blocks: readonly string[], folder: string, file: string): Promise<void> {
  const target = await open(file, 'w');
  try {
    for (let at = 0, atOnce = 1; at < blocks.length; ) {
      const read = await Promise.all(blocks.slice(at, at + atOnce).map((name) => readBlock(folder, name)));
      await target.writeFile(Buffer.concat(read));
      at += read.length;
      atOnce = Math.max(1, Math.floor(READ_BYTES / (read[0]?.length || READ_BYTES)));
    }
    await target.sync();
  } finally {
    await target.close();
  }
}

/** Deletes the blocks that nothing names, with what a crash left half written. */
export async function sweepBlocks(folder: string, isNamed: (name: string) => boolean): Promise<void> {
  if (!existsSync(folder)) return;
  for (const room of readdirSync(folder)) {
    for (const name of readdirSync(join(folder, room))) {
      if (!isNamed(name)) await rm(join(folder, room, name), { force: true });
    }
  }
}

export function blockPath(folder: string, name: string): string {
  return join(folder, name.slice(0, 2), name);
}

function nameOf(block: Buffer): string {
  return createHash('sha256').update(block).digest('hex');
}

/** @returns Whether it was written; a block that is there already stays, unless it was cut since. */
async function keepNamed(folder: string, name: string, block: Buffer): Promise<boolean> {
  const path = blockPath(folder, name);
  await arriving.get(path);
  if (isKept(folder, name, block)) return false;
  const written = writeBlock(path, block);
  arriving.set(path, written);
  try {
    await written;
    return true;
  } finally {
    arriving.delete(path);
  }
}

function isKept(folder: string, name: string, block: Buffer): boolean {
  return statSync(blockPath(folder, name), { throwIfNoEntry: false })?.size === block.length;
}

/** A block appears under its name whole or not at all. */
async function writeBlock(path: string, block: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const target = await open(`${path}.partial`, 'w');
  try {
    await target.writeFile(block);
    await target.sync();
  } finally {
    await target.close();
  }
  await rename(`${path}.partial`, path);
}
