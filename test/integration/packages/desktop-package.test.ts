import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WORKER_SOURCES } from '../../../src-main/compose/worker-entries.ts';
import { until } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { browserMissing } from '../../support/browser.ts';
import { FUSE_SENTINEL, writeElectronDist } from '../../support/electron-dist.ts';
import { launchDesktop } from '../../support/electron-stand-in/launch-desktop.ts';
import { writeImages } from '../../support/images.ts';
import { missingAmong, type Need, needs } from '../../support/needs.ts';
import { repository } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/*
 * Packages the desktop app for Linux with electron-builder, whose check of the configuration runs first, around a folder that looks like
 * Electron. The packaged program is then started as Electron would start it, against the stand-in for the `electron` module.
 */
const linux: Need = process.platform === 'linux' ? undefined : 'packages for Linux only';
const missing = missingAmong(linux, browserMissing());
const asar = createRequire(createRequire(import.meta.resolve('electron-builder')).resolve('app-builder-lib'))(
  '@electron/asar',
) as { listPackage(file: string, options: object): string[]; extractAll(file: string, to: string): void };

let folder: string;
let resources: string;

beforeAll(async () => {
  if (missing !== undefined) return;
  folder = await temporaryFolder(atEnd);
  const dist = join(folder, 'electron');
  mkdirSync(dist);
  writeElectronDist(dist, '0.0.0');
  execFileSync(
    process.execPath,
    ['tools/package/build-desktop.ts', '--dir', '--without-models', '--electron-dist', dist, '--out', folder],
    { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  resources = join(folder, process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked', 'resources');
}, 300_000);

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1));

describe('the packaged desktop app', needs(missing), () => {
  it('has every program, page, library, graph and kernel where the code looks for it', () => {
    const inside = asar.listPackage(join(resources, 'app.asar'), { isPack: false });
    const workers = Object.values(WORKER_SOURCES).map((source) => source.replace(/^.*\//, '').replace(/\.ts$/, '.js'));
    for (const program of ['desktop.js', 'core-process.js', ...workers])
      expect(inside).toContain(`/out/main/${program}`);
    expect(inside).toContain('/out/preload/preload.cjs');
    expect(inside).toContain('/out/renderer/index.html');
    expect(inside).toContain('/node_modules/@imagemagick/magick-wasm/dist/x86/magick.wasm');
    expect(inside).toContain('/node_modules/libheif-js/libheif-wasm/libheif-bundle.js');
    const unpacked = filesIn(join(resources, 'app.asar.unpacked'));
    const here = `${process.platform}-${process.arch}`;
    for (const library of [
      /onnxruntime_binding\.node$/,
      /libonnxruntime\.so\.1$/,
      new RegExp(`better-sqlite3/prebuilds/${here}\\.node$`),
      new RegExp(`sharp-${here}.*\\.node$`),
      /libvips-cpp\.so/,
      /argon2\.[\w-]+\.node$/,
    ]) {
      expect(
        unpacked.filter((file) => library.test(file)),
        String(library),
      ).toHaveLength(1);
    }
    for (const file of [
      'models.json',
      'models/visual-descriptor.onnx',
      'kernels/image-kernels.wasm',
      'kernels/vector-kernels.wasm',
      'icons/32x32.png',
    ]) {
      expect(existsSync(join(resources, file)), file).toBe(true);
    }
    for (const paper of ['NOTICE', 'LICENSE', 'licenses/MIT.txt'])
      expect(existsSync(join(resources, paper)), paper).toBe(true);
  });

  it('has nothing for other systems, for developers, or that no code loads', () => {
    const all = [...asar.listPackage(join(resources, 'app.asar'), { isPack: false }), ...filesIn(resources)];
    const unwanted =
      /(win32|darwin|linuxmusl)[-/](x64|arm64).*\.(node|dll|dylib|so)\b|onnxruntime-web|providers_(cuda|tensorrt)|\.d\.ts$|\.map$|headless\.js$/;
    expect(all.filter((file) => unwanted.test(file))).toEqual([]);
  });

  it('has its fuses set', () => {
    const program = readFileSync(join(resources, '..', 'vitrine-desktop'));
    const at = program.indexOf(FUSE_SENTINEL) + FUSE_SENTINEL.length;
    // In the order of Electron: run as Node, encrypted cookies, options for Node, inspection, integrity, archive only, snapshot, file scheme.
    expect(program.subarray(at + 2, at + 10).toString()).toBe('01000100');
  });

  it('starts, and makes a dataset', { timeout: 240_000 }, async () => {
    const photos = join(folder, 'photos');
    await writeImages(photos, [1, 2, 3]);
    // Electron reads the archive as a folder; Node needs it as one.
    const app = join(resources, 'app');
    asar.extractAll(join(resources, 'app.asar'), app);
    const desktop = launchDesktop(join(folder, 'data'), [], { entry: join(app, 'out/main/desktop.js'), resources });
    onTestFinished(() => desktop.kill());
    const page = await desktop.page();
    const call = async <T>(operation: string, input: object): Promise<T> => {
      const text = `window.vitrine.invoke(${JSON.stringify(operation)}, ${JSON.stringify(input)})`;
      return ((await page.evaluate(text)) as { result: T }).result;
    };
    const named = { dataset_name: 'Photos', bucket_path: photos };
    const { dataset_id } = await call<{ dataset_id: string }>('create_dataset', named);
    await until(
      () => call<{ status: string; n_images: number }>('get_dataset', { dataset_id }),
      ({ status, n_images }) => status === 'READY' && n_images === 3,
    );
    await desktop.ask('quit');
    expect(await desktop.exited).toBe(0);
  });
});
