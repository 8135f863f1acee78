import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the SHA-256 of each file below a folder by relative path (separated by `/`), sorted by path. */
export async function checksumsBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.toSorted().map(async (path) => {
      const hash = createHash('sha256').update(await readFile(path));
      return [path.slice(folder.length + 1).replaceAll('\\', '/'), hash.digest('hex')] as const;
    }),
  );
  return Object.fromEntries(files);
}
