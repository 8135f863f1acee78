import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { OpenedFolders } from '../../core/ports/opened-folders.ts';
import { isBelow } from './own-folder.ts';

/** @param folders Returns the folders that are open now; null means all folders. */
export function createOpenedFolders(folders: () => readonly string[] | null): OpenedFolders {
  const isIn = async (canonical: string, opened: readonly string[]): Promise<boolean> => {
    for (const folder of opened) {
      if (isBelow(relative(await canonicalPath(folder), canonical))) return true;
    }
    return false;
  };
  return {
    list: folders,
    resolve: async (path) => {
      const opened = folders();
      if (opened === null) return path;
      const canonical = await canonicalPath(path);
      if (await isIn(canonical, opened)) return canonical;
      throw new AppError('forbidden', message('folder_not_open'));
    },
    isOpen: async (path) => {
      const opened = folders();
      return opened === null || isIn(await canonicalPath(path), opened);
    },
  };
}

/** Resolves all links in the existing part of a path. */
export async function canonicalPath(path: string): Promise<string> {
  try {
    // Unlike `resolve`, the system applies `..` to the target of a link and not to the folder that contains it.
    return await realpath(path);
  } catch {
    const above = dirname(path);
    if (above === path) return resolve(path);
    const name = basename(path);
    const parent = await canonicalPath(above);
    return name === '..' ? dirname(parent) : join(parent, name);
  }
}
