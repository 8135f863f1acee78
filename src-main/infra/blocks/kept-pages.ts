import { existsSync } from 'node:fs';
import { link, mkdir, open, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writePack } from './pack-writer.ts';
import { NAME_BYTES, PACK_EXTENSION, type PagePack } from './page-pack.ts';
import { nameOfBlock, PagePacks } from './page-packs.ts';

/** Bytes of a file that one block holds: a page of a database. By bench (snapshots.bench): larger ones take more of what did not change. */
const BLOCK_BYTES = 4096;
/** What is read of a file at a time. */
const READ_BYTES = 1024 * 1024;
/** Of a list of names, which is a block itself: as many as changed blocks of a file make anew. */
const NAMES_PER_LIST = 128;

export interface KeptPages {
  /** Blocks that list the names of the file's blocks, in order: what did not change is not even listed again. */
  lists: string[];
  n_blocks: number;
  n_new_blocks: number;
}

/**
 * Keeps a file as blocks that are named by what they hold, in packs: what a folder has already is not written again, and what is new becomes
 * one pack. The file is gone then: one that is kept first becomes the beginning of the pack.
 * @param file On the file system of the folder.
 */
export async function keepPages(
  file: string,
  folder: string,
  { block_bytes = BLOCK_BYTES }: { block_bytes?: number } = {},
): Promise<KeptPages> {
  const packs = await PagePacks.open(folder);
  const source = await open(file, 'r');
  try {
    return await writePack(folder, async (pack) => {
      const names: string[] = [];
      let nNew = 0;
      const isFirst = packs.packs.length === 0;
      if (isFirst) await pack.beginWith(file);
      for (let at = 0; ; ) {
        const bytes = Buffer.allocUnsafe(READ_BYTES);
        const { bytesRead } = await source.read(bytes, 0, READ_BYTES, at);
        if (bytesRead === 0) break;
        at += bytesRead;
        for (let from = 0; from < bytesRead; from += block_bytes) {
          const block = bytes.subarray(from, Math.min(from + block_bytes, bytesRead));
          const name = nameOfBlock(block);
          names.push(name);
          if (packs.has(name)) continue;
          nNew += 1;
          if (isFirst) pack.note(name, block.length);
          else await pack.add(name, block);
        }
      }
      const lists = await keepNames(names, async (name, list) => {
        if (!packs.has(name)) await pack.add(name, list);
      });
      return { lists, n_blocks: names.length, n_new_blocks: nNew };
    });
  } finally {
    await source.close();
    await packs.close();
    await rm(file, { force: true });
  }
}

/** Lists names in blocks. @returns What those are called. */
export async function keepNames(
  names: readonly string[],
  keep: (name: string, list: Buffer) => Promise<void>,
): Promise<string[]> {
  const lists: string[] = [];
  for (let at = 0; at < names.length; at += NAMES_PER_LIST) {
    const list = Buffer.from(names.slice(at, at + NAMES_PER_LIST).join(''), 'hex');
    const name = nameOfBlock(list);
    lists.push(name);
    await keep(name, list);
  }
  return lists;
}

/** @throws AppError `storage_failed` when a list is not there or not what its name says. */
export async function readNames(lists: readonly string[], packs: PagePacks): Promise<string[]> {
  const names: string[] = [];
  for (const list of lists) names.push(...namesIn(await packs.read(list)));
  return names;
}

export function namesIn(list: Buffer): string[] {
  return Array.from({ length: list.length / NAME_BYTES }, (_name, at) =>
    list.toString('hex', at * NAME_BYTES, (at + 1) * NAME_BYTES),
  );
}

/**
 * Writes the file again that {@link keepPages} kept.
 * @param onBytes Gets how much is written, and of how much.
 * @throws AppError `storage_failed` when a block is not there or not what its name says.
 */
export async function joinPages(
  lists: readonly string[],
  folder: string,
  file: string,
  onBytes: (done: number, total: number) => void = () => undefined,
): Promise<void> {
  const packs = await PagePacks.open(folder);
  try {
    const names = await readNames(lists, packs);
    const total = packs.bytesOf(names);
    const target = await open(file, 'w');
    try {
      let done = 0;
      for await (const bytes of packs.readAll(names)) {
        await target.writeFile(bytes);
        done += bytes.length;
        onBytes(done, total);
      }
      await target.sync();
    } finally {
      await target.close();
    }
  } finally {
    await packs.close();
  }
}

/**
 * Gives another folder the packs that hold a file's blocks, by hard link where the file system has them.
 * @throws AppError `storage_failed` when a block is not there.
 */
export async function sharePages(lists: readonly string[], fromFolder: string, toFolder: string): Promise<void> {
  const packs = await PagePacks.open(fromFolder);
  try {
    const names = [...lists, ...(await readNames(lists, packs))];
    const wanted = new Map<PagePack, Set<string>>();
    for (const name of names) {
      const pack = packs.packOf(name);
      const ofPack = wanted.get(pack) ?? new Set();
      wanted.set(pack, ofPack.add(name));
    }
    await mkdir(toFolder, { recursive: true });
    for (const [pack, ofPack] of wanted) {
      const to = join(toFolder, basename(pack.path));
      if (!existsSync(to)) await link(pack.path, to).catch(() => copyBlocks([[pack, ofPack]], toFolder));
    }
  } finally {
    await packs.close();
  }
}

/**
 * Deletes packs of which nothing is named, with what a crash left half written, and writes what is named of those that mostly are not to
 * one new pack. A pack that another folder has too stays while anything of it is named: a copy would only take more space.
 */
export async function sweepPages(packs: PagePacks, folder: string, named: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder).catch(noneIfMissing)) {
    if (name.endsWith(`${PACK_EXTENSION}.partial`)) await rm(join(folder, name), { force: true });
  }
  const gone: PagePack[] = [];
  const sparse: [PagePack, Set<string>][] = [];
  const seen = new Set<string>();
  for (const pack of packs.packs) {
    // What cannot be told of is left alone.
    if (pack.blocks.length === 0) continue;
    const needed = new Set(pack.blocks.map(({ name }) => name).filter((name) => named.has(name) && !seen.has(name)));
    for (const name of needed) seen.add(name);
    if (needed.size === 0) gone.push(pack);
    else if (pack.n_links === 1 && needed.size * 2 < pack.blocks.length) sparse.push([pack, needed]);
  }
  await copyBlocks(sparse, folder);
  for (const pack of [...gone, ...sparse.map(([pack]) => pack)]) await rm(pack.path, { force: true });
}

/** Writes packs again without the blocks that are damaged, so that these are kept anew when a file has them again. */
export async function dropDamaged(packs: PagePacks, folder: string, damaged: ReadonlySet<string>): Promise<void> {
  const sound = packs.packs.flatMap((pack): [PagePack, Set<string>][] => {
    const names = pack.blocks.map(({ name }) => name);
    return names.some((name) => damaged.has(name)) ? [[pack, new Set(names.filter((name) => !damaged.has(name)))]] : [];
  });
  await copyBlocks(sound, folder);
  for (const [pack] of sound) await rm(pack.path, { force: true });
}

/** Writes blocks of packs to one new pack, as they lie there. */
async function copyBlocks(wanted: Iterable<[PagePack, ReadonlySet<string>]>, toFolder: string): Promise<void> {
  await writePack(toFolder, async (target) => {
    for (const [pack, names] of wanted) {
      for (const block of pack.blocks)
        if (names.has(block.name)) await target.add(block.name, await pack.read([block]));
    }
  });
}

function noneIfMissing(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
