import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { keepNames } from '../../blocks/kept-pages.ts';
import { writePack } from '../../blocks/pack-writer.ts';
import { nameOfBlock, PagePacks } from '../../blocks/page-packs.ts';
import { replaceFile } from './replace-file.ts';

/** A manifest of a version whose blocks were files of their own, `blocks/<ab>/<sha256>`. */
interface FormerManifest {
  format: 1;
  /** All blocks of its database in order. */
  blocks: string[];
}

/**
 * Takes what a former version of the program kept of a dataset's versions into a pack. Cut off, it goes on where it was; a block that is
 * damaged is left out, and the version with it cannot be laid out.
 * @param manifestFiles Of all versions.
 */
export async function packFormerBlocks(blocksFolder: string, manifestFiles: readonly string[]): Promise<void> {
  const entries = existsSync(blocksFolder) ? await readdir(blocksFolder, { withFileTypes: true }) : [];
  const rooms = entries.filter((entry) => entry.isDirectory());
  if (rooms.length === 0) return;
  const packs = await PagePacks.open(blocksFolder);
  try {
    const manifests = await writePack(blocksFolder, async (pack) => {
      const added = new Set<string>();
      const add = async (name: string, read: () => Promise<Buffer | undefined>) => {
        if (packs.has(name) || added.has(name)) return;
        const block = await read();
        if (block === undefined || nameOfBlock(block) !== name) return;
        added.add(name);
        await pack.add(name, block);
      };
      const taken: { file: string; manifest: object }[] = [];
      for (const file of manifestFiles) {
        const { blocks, ...manifest } = JSON.parse(await readFile(file, 'utf8')) as FormerManifest;
        if (manifest.format !== 1) continue;
        for (const name of blocks) await add(name, () => readFormer(blocksFolder, name));
        const lists = await keepNames(blocks, (name, list) => add(name, async () => list));
        taken.push({ file, manifest: { ...manifest, format: 2, lists } });
      }
      return taken;
    });
    for (const { file, manifest } of manifests) await replaceFile(file, JSON.stringify(manifest));
  } finally {
    await packs.close();
  }
  for (const { name } of rooms) await rm(join(blocksFolder, name), { recursive: true });
}

async function readFormer(folder: string, name: string): Promise<Buffer | undefined> {
  const path = join(folder, name.slice(0, 2), name);
  return existsSync(path) ? readFile(path) : undefined;
}
