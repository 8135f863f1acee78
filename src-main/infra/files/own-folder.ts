import { isAbsolute, relative, sep } from 'node:path';

/** Whether a folder is the app's data folder or below it. Both paths are canonical. */
export function isOwnData(folder: string, dataFolder: string): boolean {
  return isBelow(relative(dataFolder, folder));
}

/**
 * Returns a function that tells whether a path below a folder (with `/` between folders) belongs to the app's own data: originals stored
 * there
 * must not become media a second time. Both folder paths are canonical.
 */
export function skipOwnData(folder: string, dataFolder: string): (filePath: string) => boolean {
  const below = relative(folder, dataFolder);
  if (below === '' || !isBelow(below)) return () => false;
  const own = below.split(sep).join('/');
  return (filePath) => filePath === own || filePath.startsWith(`${own}/`);
}

/** Whether a relative path from one folder to another stays within the first. */
export function isBelow(path: string): boolean {
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
