import { isAbsolute, relative, sep } from 'node:path';

/** Whether a folder is, or is inside of, the app's data folder. Both paths are canonical. */
export function isOwnData(folder: string, data_folder: string): boolean {
  return isBelow(relative(data_folder, folder));
}

/**
 * Tells of paths below a folder, `/` between folders, whether they are the app's own data: originals that it keeps must not become media
 * a second time. Both paths are canonical.
 */
export function skipOwnData(folder: string, data_folder: string): (file_path: string) => boolean {
  const below = relative(folder, data_folder);
  if (below === '' || !isBelow(below)) return () => false;
  const own = below.split(sep).join('/');
  return (file_path) => file_path === own || file_path.startsWith(`${own}/`);
}

function isBelow(path: string): boolean {
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
