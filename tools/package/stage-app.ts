import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { readLockFile } from '../notice/lock-file.ts';
import { packageSource } from './package-source.ts';
import { productionPackages } from './production-packages.ts';
import { isShipped } from './shipped-files.ts';
import type { Target } from './target.ts';

/** Node that runs the built program. */
const NODE_RANGE = '>=24';
/** What every package contains besides the program. */
const PAPERS = ['LICENSE', 'NOTICE', 'README.md', 'licenses'];

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  main: string;
  dependencies: Record<string, string>;
}

/**
 * Copies the built program, its resources and its papers into an empty folder, with a package.json of its own. Every form of Vitrine is
 * made from such a folder.
 */
export function stageProgram(root: string, into: string): void {
  if (!existsSync(join(root, 'out', 'renderer', 'index.html'))) throw new Error('Nothing is built: npm run build');
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const isProgram = (file: string): boolean => !file.endsWith('.map');
  for (const folder of ['main', 'preload', 'renderer']) {
    cpSync(join(root, 'out', folder), join(into, 'out', folder), { recursive: true, filter: isProgram });
  }
  cpSync(join(root, 'resources'), join(into, 'resources'), {
    recursive: true,
    filter: (file) => !file.endsWith('screenshot.png'),
  });
  const program = join(root, 'integrations', 'ray');
  cpSync(program, join(into, 'resources', 'ray'), { recursive: true, filter: (path) => !path.includes('__pycache__') });
  for (const paper of PAPERS) cpSync(join(root, paper), join(into, paper), { recursive: true });
  cpSync(join(import.meta.dirname, 'vitrine.mjs'), join(into, 'bin', 'vitrine.mjs'));
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(manifestOf(root), null, 2)}\n`);
}

/** Copies the packages that the program loads, without what a target does not use. Returns their number. */
export function stagePackages(root: string, into: string, target: Target): number {
  const packages = productionPackages(readLockFile(root), target);
  for (const wanted of packages) {
    const source = packageSource(root, wanted);
    for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name).slice(source.length + 1);
      if (!isShipped(wanted.name, file.split(sep).join('/'), target)) continue;
      const to = join(into, wanted.path, file);
      mkdirSync(dirname(to), { recursive: true });
      cpSync(join(source, file), to);
    }
  }
  const runtime = join(into, 'node_modules', 'onnxruntime-node', 'bin', 'napi-v6', target.platform, target.arch);
  if (!existsSync(runtime)) throw new Error(`ONNX Runtime has no binary for ${target.platform}-${target.arch}`);
  return packages.length;
}

function manifestOf(root: string): object {
  const { name, version, description, license, main, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Manifest;
  return {
    ...{ name, version, description, license, type: 'module', main },
    bin: { vitrine: 'bin/vitrine.mjs' },
    engines: { node: NODE_RANGE },
    dependencies,
  };
}
