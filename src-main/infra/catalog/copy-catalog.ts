import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../../core/ports/catalog.ts';
import { databaseParts } from '../sqlite/open-database.ts';
import { openCatalogCopy } from './catalog.ts';

/** Copies the current catalog into a folder and opens the copy, which is deleted when it is closed. */
export async function copyCatalog(catalog: Catalog, folder: string): Promise<Catalog> {
  const file = join(folder, 'catalog-copy.db');
  const remove = () => {
    for (const part of databaseParts(file)) rmSync(part, { force: true });
  };
  remove();
  await catalog.copyTo(file);
  const copy = openCatalogCopy(file);
  return {
    ...copy,
    close: () => {
      copy.close();
      remove();
    },
  };
}
