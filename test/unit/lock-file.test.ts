import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readLockFile, resolveLocked } from '../../tools/notice/lock-file.ts';

const locked = readLockFile(resolve(import.meta.dirname, '..', '..'));

it('the lock file has an entry for every dependency of a locked package, those of other platforms too', () => {
  const missing = Object.entries(locked).flatMap(([path, { dependencies = {}, optionalDependencies = {} }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => resolveLocked(locked, name, path) === undefined)
      .map((name) => `${name} of ${path}`),
  );
  expect(missing).toEqual([]);
});

it('the lock file says that better-sqlite3 is not compiled: npm forgets that, .ci/keep-lock.mjs writes it again', () => {
  expect(locked['node_modules/better-sqlite3']?.gypfile).toBe(false);
});
