import { type LockEntry, type LockedPackages, nameOfLocked, resolveLocked } from '../notice/lock-file.ts';
import type { Target } from './target.ts';

export interface ProductionPackage {
  /** Folder relative to the project, such as `node_modules/sharp`. */
  path: string;
  name: string;
  entry: LockEntry;
}

/**
 * Packages that a dependency of ours names but no code of ours loads: transformers.js has its web runtime inside its bundle, and the client
 * of Qdrant needs its compiler only to be compiled.
 */
const UNUSED: ReadonlySet<string> = new Set(['onnxruntime-web', 'typescript', '@types/node', 'node-addon-api']);

/** Returns the packages that the built program loads on a target, from the lock file. */
export function productionPackages(packages: LockedPackages, target: Target): ProductionPackage[] {
  const found = new Map<string, ProductionPackage>();
  const visit = (name: string, from: string): void => {
    const path = resolveLocked(packages, name, from);
    const entry = path === undefined ? undefined : packages[path];
    if (path === undefined || entry === undefined || found.has(path)) return;
    if (UNUSED.has(name) || !fits(entry, target)) return;
    found.set(path, { path, name: nameOfLocked(path), entry });
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) visit(next, path);
  };
  for (const name of Object.keys(packages['']?.dependencies ?? {})) visit(name, '');
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Packages for Linux are those for glibc. Programs in WebAssembly for systems without a binary are left out. */
function fits({ os, cpu, libc }: LockEntry, { platform, arch }: Target): boolean {
  if (os !== undefined && !os.includes(platform)) return false;
  if (cpu !== undefined && !cpu.includes(arch)) return false;
  return libc === undefined || libc.includes('glibc');
}
