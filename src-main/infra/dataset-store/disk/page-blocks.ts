import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import { AppError } from '../../../contract/errors.ts';

/**
 * Bytes of a database that one block holds. By bench (versions.bench): smaller blocks make manifests and folders large, larger ones make
 * the next snapshot of a dataset with scattered edits large.
 */
export const BLOCK_BYTES = 16 * 1024;
const WRITTEN_AT_ONCE = 16;

/**
 * Keeps a file as blocks that are named by what they hold, so that equal ones are there once: `<folder>/<ab>/<sha256>`.
 * @returns The names in the order of the file, and how many of them were new.
 */
export async function keepBlocks(
  file: string,
  folder: string,
  blockBytes = BLOCK_BYTES,
): Promise<{ blocks: string[]; n_new: number }> {
  const source = await open(file, 'r');
  const blocks: string[] = [];
  let nNew = 0;
  const read = async function* () {
    for (;;) {
      const bytes = Buffer.allocUnsafe(blockBytes);
      const { bytesRead } = await source.read(bytes, 0, blockBytes);
      if (bytesRead === 0) return;
      const block = bytes.subarray(0, bytesRead);
      const name = createHash('sha256').update(block).digest('hex');
      blocks.push(name);
      yield { name, block };
    }
  };
  const arriving = new Set<string>();
  try {
    await pMap(
      read(),
      async ({ name, block }) => {
        if (arriving.has(name) || existsSync(pathOf(folder, name))) return;
        arriving.add(name);
        nNew += 1;
        await writeBlock(folder, name, block);
      },
      { concurrency: WRITTEN_AT_ONCE },
    );
  } finally {
    await source.close();
  }
  return { blocks, n_new: nNew };
}

/**
 * Writes the file again that blocks were made of.
 * @throws AppError `storage_failed` when a block is not there or not what its name says.
 */
export async function joinBlocks(blocks: readonly string[], folder: string, file: string): Promise<void> {
  const target = await open(file, 'w');
  try {
    for (const name of blocks) {
      const block = await readFile(pathOf(folder, name)).catch(() => undefined);
      if (block === undefined || createHash('sha256').update(block).digest('hex') !== name) {
        throw new AppError('storage_failed', 'A part of the kept version is missing or damaged');
      }
      await target.write(block);
    }
    await target.sync();
  } finally {
    await target.close();
  }
}

/** Deletes the blocks that nothing names. */
export async function sweepBlocks(folder: string, named: ReadonlySet<string>): Promise<void> {
  if (!existsSync(folder)) return;
  for (const room of readdirSync(folder)) {
    for (const name of readdirSync(join(folder, room))) {
      if (!named.has(name)) await rm(join(folder, room, name), { force: true });
    }
  }
}

/** A block appears under its name whole or not at all. */
async function writeBlock(folder: string, name: string, block: Buffer): Promise<void> {
  const path = pathOf(folder, name);
  await mkdir(join(folder, name.slice(0, 2)), { recursive: true });
  const target = await open(`${path}.partial`, 'w');
  try {
    await target.write(block);
    await target.sync();
  } finally {
    await target.close();
  }
  await rename(`${path}.partial`, path);
}

function pathOf(folder: string, name: string): string {
  return join(folder, name.slice(0, 2), name);
}
