import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const CATALOGUE = 'models.json';

/**
 * Path of the product's resource folder: `resources/` in a checkout, the folder with the app's archive in an installed app. It is searched
 * upwards from this file, so that every process and thread finds it, whichever bundle it runs.
 */
export function findResources(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const found = [join(folder, 'resources'), folder].find((place) => existsSync(join(place, CATALOGUE)));
    if (found !== undefined) return found;
    if (folder === dirname(folder)) throw new Error('the resources that come with the product are missing');
  }
}

/** Path of a generated resource file: a graph of `npm run generate:graphs` or a kernel of `npm run generate:kernels`. */
export function resourceFile(folder: 'models' | 'kernels', name: string): string {
  return join(findResources(), folder, name);
}
