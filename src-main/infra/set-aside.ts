import { mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Folder below the data folder to which unknown files and folders are moved. */
export const RECOVERED = 'recovered';

/**
 * Moves a file or folder into a new folder below `recovered/<room>/`, so that nothing there is ever overwritten.
 * @returns The new path relative to the data folder, with `/` between folders.
 */
export async function setAside(dataFolder: string, path: string, room: string): Promise<string> {
  const folder = join(dataFolder, RECOVERED, room);
  await mkdir(folder, { recursive: true });
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? basename(path) : `${basename(path)}-${number}`;
    const target = join(folder, name);
    if (!(await claim(target))) continue;
    await rename(path, join(target, basename(path)));
    return `${RECOVERED}/${room}/${name}/${basename(path)}`;
  }
}

async function claim(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
