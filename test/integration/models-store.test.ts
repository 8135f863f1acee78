import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ModelCatalogue, modelCatalogue } from '../../src-main/contract/schemas/model-definition.ts';
import type { ModelStore } from '../../src-main/core/ports/model-store.ts';
import { createOpenedFolders } from '../../src-main/infra/files/opened-folders.ts';
import { LocalModels } from '../../src-main/infra/inference/local-models.ts';
import { readCatalogue } from '../../src-main/infra/models/current-catalogue.ts';
import { createModelStore } from '../../src-main/infra/models/model-store.ts';
import { splitFilesOf } from '../../src-main/infra/models/split-package.ts';
import { openParquet } from '../../src-main/infra/parquet/read-parquet.ts';
import { until } from '../support/api.ts';
import { type ModelHub, sha256Of, startModelHub } from '../support/model-hub.ts';
import { repository } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { TINY_RUNNER, tinyEncoder } from '../support/tiny-encoder.ts';

const MODEL = tinyEncoder(100_000);
const NOTES = Buffer.from('read me\n');
const QUICK = { backoffMs: 1, idleMs: 5_000, maxAttempts: 3 };
const PATH = '/someone/tiny/resolve/main/onnx/model.onnx';

interface Facts {
  size_bytes?: number;
  sha256?: string;
}

const TRUE_FACTS: Facts = { size_bytes: MODEL.length, sha256: sha256Of(MODEL) };

function catalogueOf(facts: Facts): ModelCatalogue {
  return modelCatalogue.parse({
    packages: [
      {
        id: 'tiny',
        name: 'Tiny',
        vendor: 'Nobody',
        licence: 'MIT',
        source: { hub_repository: 'someone/tiny' },
        files: [
          { path: 'notes.txt' },
          { path: 'model.onnx', remote_path: 'onnx/model.onnx', ...facts },
          { path: 'labels.txt', content: 'cat\ndog\n' },
        ],
      },
    ],
    models: [
      {
        id: 'tiny',
        name: 'Tiny',
        type: 'MULTIMODEL_IMAGE_ENCODING',
        package_id: 'tiny',
        description: '',
        runner: TINY_RUNNER,
      },
    ],
  });
}

interface Bench {
  store: ModelStore;
  hub: ModelHub;
  folder: string;
  /** Reported numbers of bytes, in order. */
  progress: number[];
  download(signal?: AbortSignal, hubs?: string[]): Promise<Buffer>;
  /** Headers of the requests for the model file. */
  requested(): { range: string | undefined; if_range: string | undefined }[];
}

async function bench(facts: Facts = TRUE_FACTS): Promise<Bench> {
  const hub = await startModelHub({ [PATH]: MODEL, '/someone/tiny/resolve/main/notes.txt': NOTES });
  onTestFinished(() => hub.close());
  const folder = await temporaryFolder();
  const catalogue = catalogueOf(facts);
  const store = createModelStore({
    modelsFolder: folder,
    bundledFolder: join(folder, '.bundled'),
    splitEncoder: () => Promise.reject(new Error('no graph to split')),
    catalogue: () => catalogue,
    openParquet,
    opened: createOpenedFolders(() => null),
    localModels: new LocalModels(),
    tryModel: async () => undefined,
    ...QUICK,
  });
  onTestFinished(() => store.close());
  const progress: number[] = [];
  return {
    store,
    hub,
    folder,
    progress,
    download: async (signal = new AbortController().signal, hubs = [hub.url]) => {
      const [definition] = catalogue.packages;
      if (!definition) throw new Error('no package');
      await store.download(definition, {
        mirror: null,
        hubs,
        signal,
        onProgress: (received) => progress.push(received),
      });
      return readFile(join(folder, 'tiny', 'model.onnx'));
    },
    requested: () => hub.requests.filter((request) => request.path === PATH),
  };
}

/** Aborts the download after more than `bytes` bytes of all files were received. */
async function stopAfter(on: Bench, bytes: number): Promise<void> {
  const stop = new AbortController();
  on.hub.misbehave((path) => (path === PATH ? { kind: 'slow' } : undefined));
  const going = on.download(stop.signal);
  const watch = setInterval(() => {
    if ((on.progress.at(-1) ?? 0) > bytes) stop.abort();
  }, 5);
  await expect(going).rejects.toMatchObject({ name: 'AbortError' });
  clearInterval(watch);
  on.hub.misbehave(() => undefined);
}

/** Resolves when some of the response that starts at byte `from` is stored on disk, so that a broken connection cannot lose it. */
function kept(on: Bench): (from: number) => Promise<number> {
  return (from) =>
    until(
      () => on.store.receivedBytes('tiny'),
      (bytes) => bytes - NOTES.length > from,
    );
}

describe('fetching a model', () => {
  it('installs it completely, with included files and a record of hashes', async () => {
    const on = await bench();
    expect((await on.download()).equals(MODEL)).toBe(true);
    expect(await readFile(join(on.folder, 'tiny', 'labels.txt'), 'utf8')).toBe('cat\ndog\n');
    const record = JSON.parse(await readFile(join(on.folder, 'tiny', 'installed.json'), 'utf8'));
    expect(record.files).toContainEqual({ path: 'model.onnx', size_bytes: MODEL.length, sha256: sha256Of(MODEL) });
    expect(await on.store.receivedBytes('tiny')).toBe(0);
    expect((await on.store.scan()).map((one) => one.package.id)).toEqual(['tiny']);
    expect(on.progress.at(-1)).toBe(MODEL.length + NOTES.length);
  });

  it('resumes after each break when the connection is cut repeatedly', async () => {
    const on = await bench();
    on.hub.misbehave((path, nth) =>
      path === PATH && nth <= 3 ? { kind: 'cut', after_bytes: 90_000, once: kept(on) } : undefined,
    );
    expect((await on.download()).equals(MODEL)).toBe(true);
    const ranges = on.requested().map((request) => request.range);
    expect(ranges).toHaveLength(4);
    expect(ranges[0]).toBeUndefined();
    for (const range of ranges.slice(1)) expect(range).toMatch(/^bytes=[1-9]\d*-$/);
    expect(on.requested().at(-1)?.if_range).toMatch(/^"/);
  });

  it('gives up when no more bytes arrive, and reports the reason without an address', async () => {
    const on = await bench();
    on.hub.misbehave((path) => (path === PATH ? { kind: 'cut', after_bytes: 0 } : undefined));
    await expect(on.download()).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/^127\.0\.0\.1:\d+: The connection was cut\. Try again later, or import/),
    });
    expect(await on.store.scan()).toEqual([]);
  });

  it('starts again when the server ignores ranges', async () => {
    const on = await bench();
    on.hub.misbehave((path, nth) => {
      if (path !== PATH) return undefined;
      return nth === 1 ? { kind: 'cut', after_bytes: 50_000 } : { kind: 'ignore_range' };
    });
    expect((await on.download()).equals(MODEL)).toBe(true);
  });

  it('starts again when the file changed between two attempts', async () => {
    const on = await bench({});
    const other = tinyEncoder(60_000);
    on.hub.misbehave((path, nth) => {
      if (path !== PATH) return undefined;
      return nth === 1 ? { kind: 'cut', after_bytes: 50_000 } : { kind: 'other_version', bytes: other };
    });
    expect((await on.download()).equals(other)).toBe(true);
  });

  it.each([
    ['too many', 500_000_000],
    ['too few', 1000],
  ])('refuses a server that announces %s bytes', async (_, announcedBytes) => {
    const on = await bench();
    on.hub.misbehave((path) => (path === PATH ? { kind: 'lie', announced_bytes: announcedBytes } : undefined));
    await expect(on.download()).rejects.toMatchObject({ message: expect.stringContaining('bytes, not the') });
  });

  it('refuses a truncated file when no size is stated', async () => {
    const on = await bench({});
    on.hub.misbehave((path) => (path === PATH ? { kind: 'lie', announced_bytes: 100_000 } : undefined));
    await expect(on.download()).rejects.toMatchObject({ message: 'The downloaded model.onnx is cut off' });
    expect(await on.store.scan()).toEqual([]);
  });

  it('discards damaged bytes, retries once, and reports the damage', async () => {
    const on = await bench();
    on.hub.misbehave((path, nth) => (path === PATH && nth === 1 ? { kind: 'corrupt' } : undefined));
    expect((await on.download()).equals(MODEL)).toBe(true);

    const worse = await bench();
    worse.hub.misbehave((path) => (path === PATH ? { kind: 'corrupt' } : undefined));
    await expect(worse.download()).rejects.toMatchObject({ message: expect.stringContaining('SHA-256 differs') });
    expect(worse.requested()).toHaveLength(2);
    expect(await worse.store.scan()).toEqual([]);
  });

  it('compares later downloads with the first when no hash is published', async () => {
    const on = await bench({});
    await on.download();
    const known = JSON.parse(await readFile(join(on.folder, '.known-hashes.json'), 'utf8'));
    expect(known['someone/tiny@main/onnx/model.onnx']).toBe(sha256Of(MODEL));
    await on.store.remove('tiny');
    on.hub.files.set(PATH, tinyEncoder(60_000));
    await expect(on.download()).rejects.toMatchObject({
      message: expect.stringContaining('not the one of the first download'),
    });
  });

  it('follows the redirect of a hub, and checks the hash that it names', async () => {
    const on = await bench({});
    const storage = await startModelHub({ '/blob': MODEL });
    onTestFinished(() => storage.close());
    on.hub.misbehave((path) => (path === PATH ? { kind: 'redirect', to: `${storage.url}/blob` } : undefined));
    expect((await on.download()).equals(MODEL)).toBe(true);
    expect(storage.requests).toHaveLength(1);
  });

  it.each([
    [404, 'does not have this file'],
    [401, 'requires permission for this file'],
    [403, 'requires permission for this file'],
  ])('explains %s in plain words', async (status, words) => {
    const on = await bench();
    on.hub.misbehave((path) => (path === PATH ? { kind: 'status', status } : undefined));
    await expect(on.download()).rejects.toMatchObject({ message: expect.stringContaining(words) });
    expect(on.requested()).toHaveLength(1);
  });

  it('tries the mirrors in order, and resumes there with the bytes received from the hub', async () => {
    const on = await bench();
    on.hub.misbehave((path, nth) => {
      if (path !== PATH) return undefined;
      return nth === 1 ? { kind: 'cut', after_bytes: 90_000, once: kept(on) } : { kind: 'status', status: 404 };
    });
    const mirror = await startModelHub({ [PATH]: MODEL });
    onTestFinished(() => mirror.close());
    expect((await on.download(undefined, [on.hub.url, mirror.url])).equals(MODEL)).toBe(true);
    expect(mirror.requests.at(-1)?.range).toMatch(/^bytes=[1-9]/);
  });

  it('stops on request and resumes, also after a restart', async () => {
    const on = await bench();
    await stopAfter(on, 100_000);
    const kept = await on.store.receivedBytes('tiny');
    expect(kept).toBeGreaterThan(100_000);
    expect(await readdir(on.folder)).not.toContain('tiny');

    on.hub.requests.length = 0;
    expect((await on.download()).equals(MODEL)).toBe(true);
    expect(on.hub.requests).toHaveLength(1);
    expect(on.requested()[0]?.range).toBe(`bytes=${kept - NOTES.length}-`);
  });

  it.each([
    ['stated', TRUE_FACTS, 0],
    ['not stated', {}, 1],
  ])(
    'installs a file that was complete when the app ended before the check; its size %s',
    async (_, facts, nRequests) => {
      const on = await bench(facts);
      await stopAfter(on, 100_000);
      await writeFile(join(on.folder, '.downloads', 'tiny', 'model.onnx.partial'), MODEL);
      on.hub.requests.length = 0;
      expect((await on.download()).equals(MODEL)).toBe(true);
      expect(on.requested()).toHaveLength(nRequests);
    },
  );

  it('does not trust received bytes that were changed meanwhile', async () => {
    const on = await bench();
    await stopAfter(on, 100_000);
    const partial = join(on.folder, '.downloads', 'tiny', 'model.onnx.partial');
    const left = await readFile(partial);
    await writeFile(partial, left.fill(7));
    expect((await on.download()).equals(MODEL)).toBe(true);
  });

  it('reports in advance that the disk has too little space', async () => {
    const on = await bench({ size_bytes: 10 ** 15 });
    const [definition] = on.store.catalogue.packages;
    if (!definition) throw new Error('no package');
    await expect(on.store.ensureRoom(definition)).rejects.toMatchObject({ code: 'disk_full' });
    const unstated = await bench({});
    unstated.hub.misbehave((path) => (path === PATH ? { kind: 'lie', announced_bytes: 10 ** 15 } : undefined));
    await expect(unstated.download()).rejects.toMatchObject({ code: 'disk_full' });
  });
});

describe('the included catalogue', () => {
  it('is consistent: every model has a package with every file that it opens', async () => {
    const catalogue = await readCatalogue(join(repository, 'resources', 'models.json'));
    const { filesOfRunner } = await import('../../src-main/infra/models/found-package.ts');
    for (const model of catalogue.models) {
      const definition = catalogue.packages.find((one) => one.id === model.package_id);
      const paths = definition ? [...definition.files.map((file) => file.path), ...splitFilesOf(definition)] : [];
      for (const path of filesOfRunner(model.runner)) expect(paths, model.id).toContain(path);
      if (model.type === 'CAPTION_OBJECTS') expect(model.dependencies).toEqual(['OBJECT_DETECTION']);
    }
    expect(new Set(catalogue.models.map((model) => model.type)).size).toBe(6);
    expect(catalogue.packages.filter(({ recommended }) => recommended)).toHaveLength(1);
  });

  it('is refused with a reason when it is not', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'models.json');
    const { packages, models } = catalogueOf({});
    await writeFile(file, JSON.stringify({ packages: [...packages, ...packages], models }));
    await expect(readCatalogue(file)).rejects.toThrow('a package twice');
    await writeFile(file, JSON.stringify({ packages: [], models }));
    await expect(readCatalogue(file)).rejects.toThrow('no package tiny');
  });
});

describe('files that come with the installation', () => {
  it('are used instead of a download, unless they are not the stated ones', async () => {
    const on = await bench();
    const bundled = join(on.folder, '.bundled', 'tiny');
    await mkdir(bundled, { recursive: true });
    await writeFile(join(bundled, 'model.onnx'), MODEL);
    const [definition] = on.store.catalogue.packages;
    if (!definition) throw new Error('no package');
    expect(await on.store.isBundled(definition)).toBe(false);
    await writeFile(join(bundled, 'notes.txt'), NOTES);
    expect(await on.store.isBundled(definition)).toBe(true);
    expect((await on.download(undefined, [])).equals(MODEL)).toBe(true);
    expect(on.hub.requests).toEqual([]);

    await writeFile(join(bundled, 'model.onnx'), Buffer.alloc(MODEL.length));
    await on.store.remove('tiny');
    expect((await on.download()).equals(MODEL)).toBe(true);
    expect(on.requested()).toHaveLength(1);
  });
});

describe('the packages found at start', () => {
  it('are the complete ones: a package with a missing or changed file does not count', async () => {
    const on = await bench();
    await on.download();
    await writeFile(join(on.folder, 'tiny', 'model.onnx'), MODEL.subarray(0, 1000));
    expect(await on.store.scan()).toEqual([]);
    await rm(join(on.folder, 'tiny', 'model.onnx'));
    expect(await on.store.scan()).toEqual([]);
    await mkdir(join(on.folder, '.incoming', 'left'), { recursive: true });
    await on.store.scan();
    expect(await readdir(on.folder)).not.toContain('.incoming');
    expect((await on.download()).equals(MODEL)).toBe(true);
  });
});
