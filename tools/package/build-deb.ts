import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { stagePackages, stageProgram } from './stage-app.ts';
import { hostTarget, parseTarget, type Target } from './target.ts';

/*
 * Implements `npm run package:deb`: writes `dist/vitrine_VERSION_ARCH.deb`, a server with its own Node, a systemd service and a user of its
 * own. Options: --target linux-x64, --compression (of dpkg-deb, default xz), --version (default: that of package.json), --out FOLDER.
 */
const root = resolve(import.meta.dirname, '..', '..');
const parts = join(import.meta.dirname, 'debian');
const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    compression: { type: 'string', default: 'xz' },
    version: { type: 'string' },
    out: { type: 'string', default: join(root, 'dist') },
  },
});

const target = values.target === undefined ? hostTarget() : parseTarget(values.target);
const { version: own } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const version = values.version ?? own;
const architecture = target.arch === 'x64' ? 'amd64' : 'arm64';
const tree = join(resolve(values.out), 'deb');
const file = join(resolve(values.out), `vitrine_${version}_${architecture}.deb`);

stage(tree, target);
const bytes = sizeOf(tree);
writeFileSync(at('DEBIAN/control'), controlText(Math.ceil(bytes / 1024)));
execFileSync('dpkg-deb', ['--build', '--root-owner-group', `-Z${values.compression}`, tree, file], { stdio: 'ignore' });
rmSync(tree, { recursive: true });
console.log(`${file}: ${mebibytes(lstatSync(file).size)}, installed ${mebibytes(bytes)}`);

/** Lays out the files as they are installed. */
function stage(folder: string, { platform, arch }: Target): void {
  if (platform !== 'linux') throw new Error('A deb is for Linux.');
  rmSync(folder, { recursive: true, force: true });
  stageProgram(root, at('usr/lib/vitrine'));
  stagePackages(root, at('usr/lib/vitrine'), target);
  stageNode(arch);
  install('vitrine.service', 'usr/lib/systemd/system/vitrine.service');
  install('vitrine.conf', 'etc/vitrine/vitrine.conf');
  install('vitrine', 'usr/bin/vitrine', 0o755);
  for (const script of ['postinst', 'prerm', 'postrm']) install(script, `DEBIAN/${script}`, 0o755);
  writeFileSync(at('DEBIAN/conffiles'), '/etc/vitrine/vitrine.conf\n');
  const docs = at('usr/share/doc/vitrine');
  mkdirSync(docs, { recursive: true });
  for (const page of ['README.md', 'docs/settings.md', 'docs/serving-a-team.md', 'docs/install.md']) {
    copyFileSync(join(root, page), join(docs, page.replace('docs/', '')));
  }
  writeFileSync(join(docs, 'copyright'), `${readFileSync(join(root, 'LICENSE'), 'utf8')}\n${notice()}`);
  writeFileSync(join(docs, 'changelog.gz'), gzipSync(readFileSync(join(root, 'CHANGELOG.md')), { level: 9 }));
}

/** The Node that is a package of ours, without symbols, so that the service depends on no other version. */
function stageNode(arch: Target['arch']): void {
  if (arch !== process.arch)
    throw new Error(`Build the deb for ${arch} on such a machine: it contains the Node that is installed here.`);
  const program = at('usr/lib/vitrine/node/bin/node');
  mkdirSync(dirname(program), { recursive: true });
  copyFileSync(join(root, 'node_modules', 'node', 'bin', 'node'), program);
  execFileSync('strip', ['--strip-unneeded', program]);
}

function controlText(installedKib: number): string {
  const fields = {
    Package: 'vitrine',
    Version: version,
    Architecture: architecture,
    Maintainer: 'Vitrine contributors <noreply@vitrine.invalid>',
    'Installed-Size': String(installedKib),
    'Pre-Depends': 'dpkg (>= 1.17)',
    Depends: 'adduser, libc6 (>= 2.28), libstdc++6 (>= 8)',
    Recommends: 'ffmpeg',
    Section: 'graphics',
    Priority: 'optional',
    Description: `server for datasets of images and videos
 Turns folders of images and videos into datasets that one can see, search,
 clean, version and share: in the browser, and by an HTTP API.
 .
 The service listens on 127.0.0.1:2080 and keeps its data in /var/lib/vitrine,
 which neither removal nor purge deletes. ffmpeg is needed for videos.`,
  };
  return `${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n`;
}

function notice(): string {
  return readFileSync(join(root, 'NOTICE'), 'utf8');
}

function install(part: string, to: string, mode = 0o644): void {
  const target = at(to);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(parts, part), target);
  chmodSync(target, mode);
}

function at(path: string): string {
  return join(tree, path);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
