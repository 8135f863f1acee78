import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One entry of `packages` in package-lock.json. */
export interface LockEntry {
  version: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  /** False if npm must not compile the package. */
  gypfile?: boolean;
  /** Systems, processors and C libraries that the package is for. Default: all. */
  os?: string[];
  cpu?: string[];
  libc?: string[];
  /** Hash of its archive in the registry. */
  integrity?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export type LockedPackages = Readonly<Record<string, LockEntry>>;

const FOLDER = 'node_modules/';

export function readLockFile(root: string): LockedPackages {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: LockedPackages };
  return lock.packages;
}

/**
 * Returns the path of the entry to which `name` resolves when the package at `from` imports it, as Node resolves it: first in its own
 * folder, then in each folder above.
 */
export function resolveLocked(packages: LockedPackages, name: string, from = ''): string | undefined {
  const inside = `${from === '' ? '' : `${from}/`}${FOLDER}${name}`;
  if (inside in packages) return inside;
  if (from === '') return undefined;
  return resolveLocked(packages, name, from.slice(0, Math.max(0, from.lastIndexOf(FOLDER) - 1)));
}

export function nameOfLocked(path: string): string {
  return path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
}
