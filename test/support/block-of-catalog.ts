import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findInTree } from '../../src-main/infra/backups/stored-tree.ts';
import { BlockStore } from '../../src-main/infra/blocks/block-store.ts';
import { type PackEntry, PackFile } from '../../src-main/infra/blocks/pack-file.ts';
import { namesOf } from '../../src-main/infra/blocks/stored-file.ts';

/**
 * Returns a block that restoring a backup certainly needs, and its pack. Blocks that changed during the backup may be unneeded.
 * @param name File name of the backup's manifest.
 */
export async function blockOfCatalog(backups: string, name: string): Promise<PackEntry & { pack: string }> {
  const text = await readFile(join(backups, 'backups', name), 'utf8');
  const { manifest } = JSON.parse(text) as { manifest: { tree: string } };
  const blocks = join(backups, 'blocks');
  const store = await BlockStore.open(blocks);
  const needed = new Set<string>();
  try {
    const catalog = await findInTree(store, manifest.tree, 'catalog.db');
    const contents = catalog && 'content' in catalog ? [catalog.content] : [];
    for await (const block of namesOf(store, contents)) needed.add(block);
  } finally {
    await store.close();
  }
  for (const file of await readdir(blocks)) {
    const pack = await PackFile.open(join(blocks, file));
    const entry = (await pack.readIndex()).find((one) => needed.has(one.name.toString('hex')));
    await pack.close();
    if (entry) return { ...entry, pack: pack.path };
  }
  throw new Error('no pack has the catalog');
}
