import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isHiddenPath } from '../files/hidden-names.ts';

/**
 * Returns a function that tells whether a file is reached through a link to a folder which is itself below the root. Such a file has a path
 * of its own, under which it is known. Results are cached per folder.
 */
export function createLinkAliases(root: string, skip: (filePath: string) => boolean) {
  const known = new Map<string, Promise<boolean>>();
  return (filePath: string): Promise<boolean> => {
    const folder = dirname(filePath);
    if (folder === '.') return Promise.resolve(false);
    const pending = known.get(folder);
    if (pending) return pending;
    const answer = isAlias(root, folder, skip);
    known.set(folder, answer);
    return answer;
  };
}

async function isAlias(root: string, folder: string, skip: (filePath: string) => boolean): Promise<boolean> {
  try {
    const own = relative(await realpath(root), await realpath(join(root, folder)))
      .split(sep)
      .join('/');
    if (own === folder || own === '..' || own.startsWith('../')) return false;
    return own === '' || !(isHiddenPath(own) || skip(own));
  } catch {
    // The file no longer exists; the check of the file reports that.
    return false;
  }
}
