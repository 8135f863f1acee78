import { existsSync } from 'node:fs';
import { link, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PackWriter } from './pack-writer.ts';
import type { PackBlocks, PackedBlocks } from './packed-blocks.ts';

/** Writes blocks of packs to new packs in a folder. */
export async function copyBlocks(blocks: PackedBlocks, packs: readonly PackBlocks[], toFolder: string): Promise<void> {
  const writer = new PackWriter(toFolder);
  try {
    for (const [pack, numbers] of packs) {
      for (const number of numbers) {
        const { offset, bytes } = blocks.placeOf(number);
        await writer.add(blocks.nameOf(number), await pack.read(offset, bytes));
      }
    }
    await writer.finish();
  } finally {
    await writer.abandon();
  }
}

/**
 * Adds blocks to another folder: by hard links to their packs, or as copies where the file system has no hard links.
 * @throws AppError `storage_failed` when a block is missing.
 */
export async function linkBlocks(blocks: PackedBlocks, names: AsyncIterable<string>, toFolder: string): Promise<void> {
  const needed = new Set<number>();
  for await (const name of names) needed.add(blocks.numberOf(name));
  await mkdir(toFolder, { recursive: true });
  for (const ofPack of blocks.byPack((number) => needed.has(number))) {
    const [pack, numbers] = ofPack;
    const to = join(toFolder, basename(pack.path));
    if (numbers.length > 0 && !existsSync(to))
      await link(pack.path, to).catch(() => copyBlocks(blocks, [ofPack], toFolder));
  }
}
