import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_MODULE, loadFaiss } from './faiss-loader.ts';

/**
 * `npm run build:faiss`: compiles the source that faiss-node ships against Debian's libfaiss-dev, as its own install script would download
 * a binary or clone faiss. Says what happened in one line; a machine without compiler or library is no failure, for the product does
 * without faiss.
 */
const PACKAGES = ['faiss-node@0.5.1', 'node-addon-api@8.9.2', 'node-api-headers@1.9.0'];

const FAISS_HEADERS = '/usr/include/faiss';

/** faiss 1.7.3 has the type inside `Index` that faiss-node, written for 1.7.4, expects in the namespace. */
const ALIAS_HEADER = '#include <faiss/Index.h>\nnamespace faiss { using idx_t = Index::idx_t; }\n';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, 'build', 'faiss');
process.stdout.write(`${build()}\n`);

function build(): string {
  if (!existsSync(join(FAISS_HEADERS, 'Index.h'))) return 'faiss was not built: libfaiss-dev is not installed';
  if ('faiss' in loadFaiss()) return 'faiss is here already';
  mkdirSync(folder, { recursive: true });
  try {
    const [source = '', addonApi = '', headers = ''] = PACKAGES.map(unpack);
    const alias = join(folder, 'idx-alias.h');
    const hasType = readFileSync(join(FAISS_HEADERS, 'MetricType.h'), 'utf8').includes('using idx_t');
    writeFileSync(alias, hasType ? '' : ALIAS_HEADER);
    const partial = join(folder, 'partial.node');
    execFileSync(
      'g++',
      [
        ...['-std=c++17', '-O2', '-fPIC', '-shared', '-fopenmp', '-w'],
        ...['-DNODE_GYP_MODULE_NAME=faiss_node', '-DNAPI_VERSION=8', '-DNAPI_CPP_EXCEPTIONS'],
        ...['-include', alias, '-I', addonApi, '-I', join(headers, 'include')],
        ...[join(source, 'src', 'faiss.cc'), '-o', partial, '-lfaiss', '-lblas', '-llapack'],
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    renameSync(partial, join(root, BUILT_MODULE));
  } catch (error) {
    const lines = error instanceof Error ? error.message.split('\n') : [String(error)];
    return `faiss was not built: ${lines.find((line) => /error|cannot|not found/i.test(line)) ?? lines[0]}`;
  }
  const loaded = loadFaiss();
  return 'faiss' in loaded ? `built ${BUILT_MODULE}` : `faiss was built and does not load: ${loaded.missing}`;
}

/** Brings a package's files without running its scripts. @returns Their folder. */
function unpack(specifier: string): string {
  const target = join(folder, specifier.replace(/@.*/, ''));
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const packed = execFileSync('npm', ['pack', specifier, '--silent', '--pack-destination', target], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const archive = packed.trim().split('\n').at(-1) ?? '';
  execFileSync('tar', ['-xzf', join(target, archive), '-C', target, '--strip-components=1']);
  return target;
}
