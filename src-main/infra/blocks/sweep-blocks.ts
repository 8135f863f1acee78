import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, isDiskFull } from '../../contract/errors.ts';
import { copyBlocks } from './copy-blocks.ts';
import { PACK_EXTENSION } from './pack-file.ts';
import type { PackBlocks, PackedBlocks } from './packed-blocks.ts';

/** Minimum share of a pack's bytes that is needed. Below it a sweep writes the needed blocks to a new pack. */
const MIN_NEEDED_SHARE = 0.75;
/** Packs below this length in bytes are merged when there are more than `count` of them. */
const SMALL_PACKS = { bytes: 4 * 1024 * 1024, count: 64 };

/**
 * Deletes packs of a folder without a needed block, and writes the needed blocks of packs with many unneeded bytes to a new pack. A pack
 * that is shared with another folder stays while any of its blocks is needed, because a copy would take more space.
 * @param names Needed blocks. When they cannot be read, because a list of them is damaged, nothing is deleted.
 */
export async function sweepBlocks(blocks: PackedBlocks, folder: string, names: AsyncIterable<string>): Promise<void> {
  await deletePartial(folder);
  const needed = await blocks.flagsOf(names).catch(undefinedIfDamaged);
  if (!needed) return;
  const all = blocks.byPack(() => true);
  const kept = blocks.byPack((number) => needed[number] === 1);
  // A pack without readable blocks has a damaged index, so its content is unknown and it stays.
  const known = kept.filter((_blocks, pack) => (all[pack]?.[1].length ?? 0) > 0);
  for (const [pack, numbers] of known) if (numbers.length === 0) await rm(pack.path, { force: true });
  const own = known.filter(([pack, numbers]) => numbers.length > 0 && pack.n_links === 1);
  const small = own.filter(([pack]) => pack.bytes < SMALL_PACKS.bytes);
  const sparse = own.filter(([pack, numbers]) => blocks.bytesOf(numbers) < pack.bytes * MIN_NEEDED_SHARE);
  const merged = small.length > SMALL_PACKS.count ? new Set([...sparse, ...small]) : sparse;
  // A full disk has no space for copies: the packs stay as they are.
  await rewrite(blocks, folder, [...merged]).catch(unlessFull);
}

/** Removes damaged blocks from their packs, so that they are stored again with the next file that contains them. */
export async function dropBlocks(blocks: PackedBlocks, folder: string, damaged: ReadonlySet<string>): Promise<void> {
  const isDamaged = new Set([...damaged].map((name) => blocks.numberOf(name)));
  const packs = new Set([...isDamaged].map((number) => blocks.placeOf(number).pack));
  const sound = blocks.byPack((number) => !isDamaged.has(number));
  await rewrite(
    blocks,
    folder,
    sound.filter((_blocks, pack) => packs.has(pack)),
  );
}

/** Replaces packs by new ones with only the given blocks. */
async function rewrite(blocks: PackedBlocks, folder: string, packs: readonly PackBlocks[]): Promise<void> {
  await copyBlocks(blocks, packs, folder);
  for (const [pack] of packs) await rm(pack.path, { force: true });
}

/** Deletes incomplete packs of interrupted writers. */
async function deletePartial(folder: string): Promise<void> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  for (const name of names)
    if (name.endsWith(`${PACK_EXTENSION}.partial`)) await rm(join(folder, name), { force: true });
}

function undefinedIfDamaged(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'storage_failed') return undefined;
  throw error;
}

function unlessFull(error: unknown): void {
  if (!isDiskFull(error)) throw error;
}
