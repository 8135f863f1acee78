import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ENTITY_TYPES } from '../../../contract/schemas/explore.ts';
import { DESCRIPTOR_ID } from '../../models/descriptor-shape.ts';
import { vectorsFolder } from './vector-spaces.ts';

/**
 * Puts the vectors and index files of a generation that knew no spaces where they belong now. Does nothing where that is done; the rows
 * that name them follow in a migration.
 */
export function moveToSpaces(generationFolder: string): void {
  for (const entityType of ENTITY_TYPES) {
    const former = join(generationFolder, 'vectors', entityType);
    const manifest = join(former, 'manifest.json');
    if (!existsSync(manifest)) continue;
    const { encoder_id } = JSON.parse(readFileSync(manifest, 'utf8')) as { encoder_id: string };
    const space = encoder_id === DESCRIPTOR_ID ? 'looks' : 'meaning';
    const indexFolder = join(generationFolder, 'index');
    for (const name of readdirSync(indexFolder)) {
      if (name.startsWith(`${entityType}-`)) renameSync(join(indexFolder, name), join(indexFolder, `${space}-${name}`));
    }
    const folder = vectorsFolder(generationFolder, space, entityType);
    mkdirSync(join(folder, '..'), { recursive: true });
    // Last: what comes before is done again after a crash.
    renameSync(former, folder);
  }
}
