import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Catalog, openCatalogCopy } from './catalog.ts';

/** Copies the catalog as it is now into a folder and opens the copy. */
export async function copyCatalog(catalog: Catalog, folder: string): Promise<Catalog> {
  const file = join(folder, 'catalog-copy.db');
  for (const part of [file, `${file}-wal`, `${file}-shm`]) await rm(part, { force: true });
  await catalog.copyTo(file);
  return openCatalogCopy(file);
}
