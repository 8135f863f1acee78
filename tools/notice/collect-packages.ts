import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackages, nameOfLocked, readLockFile, resolveLocked } from './lock-file.ts';
import type { ShippedPackage } from './shipped-package.ts';

const IMPORTED = /(?:\bfrom\s+|\bimport\s+|@import\s+|url\()["'](?![./])((?:@[^/"']+\/)?[^/"']+)/g;
/** Folders whose packages are bundled. */
const BUNDLED_FOLDERS = ['src-renderer', 'clients', 'src-main/shell'];
/** Comes with licences of its own, which its packages keep. */
const SEPARATE = 'electron';
const LICENCE_FILE = /^(licen[cs]e|copying)/i;
const COPYRIGHT = /^[Cc]opyright\s+(\([cC]\)|©|\d|[A-Z])/;
/** Lines that name no copyright holder: unfilled templates, and the copyright of the licence text itself. */
const NO_HOLDER = /\[yyyy\]|\{yyyy\}|<year>|Free Software Foundation/i;

/**
 * Returns all shipped packages, sorted by name: all production dependencies and the packages that are bundled with the renderer and the
 * clients, each with its dependencies. Reads the lock file, so the result is the same on every platform.
 */
export function collectPackages(root: string): ShippedPackage[] {
  const packages = readLockFile(root);
  const imported = BUNDLED_FOLDERS.flatMap((folder) => [...importsIn(join(root, folder))]);
  const parents = reachablePackages(packages, new Set(imported));
  const byName = new Map<string, ShippedPackage>();
  for (const path of parents.keys()) {
    const shipped = describe(root, packages, parents, path);
    byName.set(`${shipped.name}@${shipped.version}`, shipped);
  }
  return [...byName.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, shipped]) => shipped);
}

/** Returns the names of the packages that the files of a folder import, from TypeScript and CSS. */
function importsIn(folder: string): Set<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(tsx?|css)$/.test(file));
  const names = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(IMPORTED)].map(([, name]) => name),
  );
  return new Set(names.filter((name): name is string => name !== undefined && name !== SEPARATE));
}

/** Returns the paths of the locked packages that ship, each with the path of a package that depends on it (empty for the project). */
function reachablePackages(packages: LockedPackages, imported: ReadonlySet<string>): Map<string, string> {
  const production = Object.keys(packages['']?.dependencies ?? {});
  const parents = new Map<string, string>();
  const visit = (name: string, from: string): void => {
    const path = resolveLocked(packages, name, from);
    if (path === undefined || parents.has(path)) return;
    parents.set(path, from);
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) visit(next, path);
  };
  for (const name of [...production, ...imported]) visit(name, '');
  return parents;
}

function describe(
  root: string,
  packages: LockedPackages,
  parents: ReadonlyMap<string, string>,
  path: string,
): ShippedPackage {
  const entry = packages[path];
  if (entry?.license === undefined) throw new Error(`${path} has no license in package-lock.json`);
  return {
    name: nameOfLocked(path),
    version: entry.version,
    license: entry.license,
    copyright: copyrightOf(join(root, requiredAncestor(packages, parents, path))),
  };
}

/**
 * Returns the package that requires an optional package. Optional packages are installed on some platforms only, so their copyright holders
 * are read from the package that requires them.
 */
function requiredAncestor(packages: LockedPackages, parents: ReadonlyMap<string, string>, path: string): string {
  const parent = parents.get(path);
  return packages[path]?.optional && parent ? requiredAncestor(packages, parents, parent) : path;
}

function copyrightOf(folder: string): string[] {
  if (!existsSync(folder)) throw new Error(`${folder} is not installed: run npm ci first`);
  const texts = readdirSync(folder)
    .filter((name) => LICENCE_FILE.test(name))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const lines = texts.flatMap((text) => text.split('\n').map((line) => line.trim().replace(/^[^\p{L}]+/u, '')));
  const stated = [...new Set(lines.filter((line) => COPYRIGHT.test(line) && !NO_HOLDER.test(line)))];
  return stated.length > 0 ? stated : authorOf(folder);
}

function authorOf(folder: string): string[] {
  const { author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    author?: string | { name?: string };
  };
  const name = typeof author === 'string' ? author : author?.name;
  return name ? [`by ${name}`] : [];
}
