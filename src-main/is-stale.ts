import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = [
  'src-main',
  'src-preload',
  'src-renderer',
  'clients',
  'resources',
  'electron.vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];
const OUTPUTS = [
  'out/main/headless.js',
  'out/main/desktop.js',
  'out/main/vitrine.js',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
];

/** Whether a source or a source folder of a checkout is newer than the oldest output of its build. */
export function isStale(root: string): boolean {
  const outputs = OUTPUTS.map((path) => join(root, path));
  if (!outputs.every((file) => existsSync(file))) return true;
  const builtMs = Math.min(...outputs.map((file) => statSync(file).mtimeMs));
  return SOURCES.some((path) => isYounger(join(root, path), builtMs));
}

function isYounger(path: string, thanMs: number): boolean {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return false;
  if (status.mtimeMs > thanMs) return true;
  return status.isDirectory() && readdirSync(path).some((name) => isYounger(join(path, name), thanMs));
}
