import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { assertSound, databaseParts, openReadOnly } from '../sqlite/open-database.ts';

/** What lies beside catalog.db for the day on which that is gone or damaged. */
const COPY = 'catalog-copy.db';

/**
 * Writes the copy anew, in place of the former one once it is whole.
 * @param copyTo Writes the catalog to a file.
 * @throws DamagedDatabase when what was copied is damaged: the former copy stays.
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
 * Puts the copy where the catalog was; nothing may be there. It takes no space.
 * @returns When it was made; null where there is none.
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
