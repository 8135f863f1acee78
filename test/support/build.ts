import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { isStale } from '../../src-main/is-stale.ts';

const root = resolve(import.meta.dirname, '../..');

/** Builds if a source is newer than the build. Otherwise the first test that runs `npm start` would, and replace files that other tests use. */
export function setup(): void {
  if (!isStale(root)) return;
  execFileSync(process.execPath, ['node_modules/electron-vite/bin/electron-vite.js', 'build'], { cwd: root });
}
