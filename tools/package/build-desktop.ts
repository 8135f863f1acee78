import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Arch, build, Platform } from 'electron-builder';
import { desktopConfig } from './desktop-config.ts';
import { fetchEncoder } from './fetch-encoder.ts';
import { stagePackages, stageProgram } from './stage-app.ts';
import { hostTarget, parseTarget } from './target.ts';

/*
 * Implements `npm run package:desktop`: builds the installers of a target into dist/desktop. Options: --target linux-x64 (default: this
 * machine), --dir for an unpacked app alone, --electron-dist FOLDER of an unpacked Electron, --without-models, --out FOLDER. Installers for
 * macOS are built on macOS.
 */
const DEFAULT_HUB = 'https://huggingface.co';
const PLATFORMS = { linux: Platform.LINUX, win32: Platform.WINDOWS, darwin: Platform.MAC };
const root = resolve(import.meta.dirname, '..', '..');
const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    dir: { type: 'boolean', default: false },
    'electron-dist': { type: 'string' },
    'without-models': { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, 'dist', 'desktop') },
  },
});

const target = values.target === undefined ? hostTarget() : parseTarget(values.target);
const output = resolve(values.out);
const staged = join(output, `app-${target.platform}-${target.arch}`);
const models = join(root, 'dist', 'models');
stageProgram(root, staged);
const packages = stagePackages(root, staged, target);
console.log(`${packages} packages for ${target.platform}-${target.arch}`);
if (!values['without-models']) {
  const hub = process.env.VITRINE_MODELS_HUB_URL ?? DEFAULT_HUB;
  console.log(`with ${await fetchEncoder(join(root, 'resources', 'models.json'), models, hub)}`);
}

const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  devDependencies: { electron: string };
};
const files = await build({
  targets: PLATFORMS[target.platform].createTarget(values.dir ? 'dir' : undefined, Arch[target.arch]),
  projectDir: root,
  config: desktopConfig({
    ...{ root, staged, target, output },
    electronVersion: devDependencies.electron,
    electronDist: values['electron-dist'],
    models: values['without-models'] ? undefined : models,
    environment: process.env,
  }),
  publish: 'never',
});
for (const file of files) console.log(file);
