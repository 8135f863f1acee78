import { isAbsolute, relative, sep } from 'node:path';

/** Whether a folder is, or is inside of, the app's data folder. Both paths are canonical. */
export function isOwnData(folder: string, dataFolder: string): boolean {
  return isBelow(relative(dataFolder, folder));
}

/**
 * Tells of paths below a folder, `/` between folders, whether they are the app's own data: originals that it keeps must not become media
 * a second time. Both paths are canonical.
 */
export function skipOwnData(folder: string, dataFolder: string): (filePath: string) => boolean {
  const below = relative(folder, dataFolder);
  if (below === '' || !isBelow(below)) return () => false;
  const own = below.split(sep).join('/');
  return (filePath) => filePath === own || filePath.startsWith(`${own}/`);
}

/** Whether a path that leads from one folder to another stays in it. */
export function isBelow(path: string): boolean {
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
