import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { assertSound, databaseParts, openReadOnly } from '../sqlite/open-database.ts';

/** File name of the copy beside catalog.db, which replaces catalog.db when that is missing or damaged. */
const COPY = 'catalog-copy.db';

/**
 * Writes a new copy, which replaces the previous copy when it is complete.
 * @param copyTo Writes the catalog to a file.
 * @throws DamagedDatabase when the new copy is damaged: the previous copy stays.
 */
export async function keepCatalogCopy(copyTo: (file: string) => Promise<void>, dataFolder: string): Promise<void> {
  const copy = join(dataFolder, COPY);
  const partial = `${copy}.partial`;
  const remove = (parts: readonly string[]) => {
    for (const part of parts) rmSync(part, { force: true });
  };
  remove(databaseParts(partial));
  try {
    await copyTo(partial);
    assertWholeCopy(partial);
    renameSync(partial, copy);
  } finally {
    remove(databaseParts(partial));
  }
}

/**
 * Renames the copy to the catalog file; no catalog may exist there. Needs no disk space.
 * @returns The time when the copy was made; null when there is none.
 */
export function takeCatalogCopy(dataFolder: string, file: string): string | null {
  const copy = join(dataFolder, COPY);
  if (!existsSync(copy)) return null;
  const copiedAt = statSync(copy).mtime.toISOString();
  for (const part of databaseParts(file)) rmSync(part, { force: true });
  renameSync(copy, file);
  return copiedAt;
}

function assertWholeCopy(file: string): void {
  const db = openReadOnly(file);
  try {
    assertSound(db);
  } finally {
    db.close();
  }
}
