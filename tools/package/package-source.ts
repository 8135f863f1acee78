import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProductionPackage } from './production-packages.ts';

/**
 * Returns the folder of a package: the installed one, or, for another system than this one, one that npm fetches and whose hash is that of
 * the lock file.
 */
export function packageSource(root: string, wanted: ProductionPackage): string {
  const installed = join(root, wanted.path);
  if (existsSync(join(installed, 'package.json'))) return installed;
  if (!wanted.entry.optional) throw new Error(`${wanted.path} is not installed: run npm ci first`);
  return fetched(join(root, 'node_modules', '.cache', 'packages'), wanted);
}

function fetched(cache: string, { name, entry }: ProductionPackage): string {
  const folder = join(cache, `${name.replace('/', '+')}@${entry.version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const archive = execFileSync('npm', ['pack', '--silent', `${name}@${entry.version}`, '--pack-destination', cache], {
    encoding: 'utf8',
  });
  const file = join(cache, archive.trim());
  assertHash(file, entry.integrity, name);
  const unpacked = `${folder}.new`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  execFileSync('tar', ['-xzf', file, '-C', unpacked, '--strip-components=1']);
  rmSync(file);
  renameSync(unpacked, folder);
  return folder;
}

function assertHash(file: string, integrity: string | undefined, name: string): void {
  const [algorithm = '', expected = ''] = (integrity ?? '').split(/-(.*)/s);
  const found = algorithm === '' ? '' : createHash(algorithm).update(readFileSync(file)).digest('base64');
  if (expected === '' || found !== expected) {
    rmSync(file);
    throw new Error(`${name}: the fetched archive is not the one of package-lock.json`);
  }
}
