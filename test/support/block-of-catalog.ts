import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findInTree } from '../../src-main/infra/backups/kept-tree.ts';
import { blockPath } from '../../src-main/infra/blocks/blocks.ts';

/**
 * The file of a block that a backup is surely made of: those of what changed while it was made may be of none.
 * @param name That of the backup's manifest.
 */
export async function blockOfCatalog(backups: string, name: string): Promise<string> {
  const text = await readFile(join(backups, 'backups', name), 'utf8');
  const { manifest } = JSON.parse(text) as { manifest: { tree: string } };
  const blocks = join(backups, 'blocks');
  const kept = await findInTree(manifest.tree, 'catalog.db', blocks);
  return blockPath(blocks, kept && 'blocks' in kept ? (kept.blocks[0] ?? '') : '');
}
