import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** SHA-256 of all files below a folder, by path, `/` between folders; in the order of their paths. */
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
