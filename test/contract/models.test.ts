import { chmod, cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { message } from '../../src-main/contract/messages.ts';
import type { ModelPackage, ModelSettings } from '../../src-main/contract/schemas/model.ts';
import type { EnrichmentType } from '../../src-main/contract/schemas/model-definition.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Answer, type Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { type ModelHub, sha256Of, startModelHub } from '../support/model-hub.ts';
import { findModels } from '../support/models.ts';
import { needs, notRoot, posix } from '../support/needs.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';
import { TINY_RUNNER, tinyEncoder } from '../support/tiny-encoder.ts';
import { TINY_MODELS, type TinyModel, writeTinyModel } from '../support/tiny-models/generate.ts';

const models = findModels();
const MODEL = tinyEncoder(1_000_000);
const PATH = '/someone/tiny/resolve/main/onnx/model.onnx';

interface Imported {
  imported: ModelPackage[];
  refused: { name: string; reason: string }[];
}

let api: Api;

beforeAll(async () => {
  ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
});

function json<T = Record<string, unknown>>(on: Api, method: string, path: string, body: object): Promise<Answer<T>> {
  return on.call<T>(method, path, { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
}

const importFrom = (on: Api, path: string) => json<Imported>(on, 'POST', '/models/import', { path });

async function packageOf(on: Api, packageId: string): Promise<ModelPackage> {
  const { body } = await on.get<{ packages: ModelPackage[] }>('/models');
  const found = body.packages.find((one) => one.package_id === packageId);
  if (!found) throw new Error(`no package ${packageId}`);
  return found;
}

const reaches = (on: Api, state: ModelPackage['state']) =>
  until(
    () => packageOf(on, 'tiny'),
    (one) => one.state === state,
  );

const types = (one: ModelPackage | undefined): EnrichmentType[] => (one?.models ?? []).map((model) => model.type);

/** A hub on loopback, and the environment of a server whose catalogue has one model on that hub. */
async function startHub(): Promise<{ hub: ModelHub; data: string; environment: Record<string, string> }> {
  const hub = await startModelHub({ [PATH]: MODEL });
  onTestFinished(() => hub.close());
  const data = await temporaryFolder();
  const catalogue = join(await temporaryFolder(), 'models.json');
  const files = [
    { path: 'model.onnx', remote_path: 'onnx/model.onnx', size_bytes: MODEL.length, sha256: sha256Of(MODEL) },
  ];
  const about = { name: 'Tiny', description: '', type: 'MULTIMODEL_IMAGE_ENCODING', runner: TINY_RUNNER };
  await writeFile(
    catalogue,
    JSON.stringify({
      packages: [
        { id: 'tiny', name: 'Tiny', vendor: '', licence: '', source: { hub_repository: 'someone/tiny' }, files },
      ],
      models: [{ id: 'tiny', package_id: 'tiny', ...about }],
    }),
  );
  const environment = {
    VITRINE_MODELS_CATALOGUE: catalogue,
    VITRINE_MODELS_HUB_URL: hub.url,
  };
  return { hub, data, environment };
}

/** Opens data with its own hub: see {@link startHub}. */
async function withHub() {
  const there = await startHub();
  return { ...there, ...(await openData(there.data, there)) };
}

const download = (on: Api) => json<ModelPackage>(on, 'POST', '/models/tiny/download', {});

/** Starts a slow download and waits until part of the file is received. */
async function midway(on: Api, hub: ModelHub): Promise<void> {
  hub.misbehave((path) => (path === PATH ? { kind: 'slow' } : undefined));
  expect((await download(on)).status).toBe(202);
  await until(
    () => packageOf(on, 'tiny'),
    (one) => one.received_bytes > 200_000,
  );
}

describe('the list', () => {
  it('has the whole catalogue with the facts for a choice', async () => {
    const { packages } = (await api.get<{ packages: ModelPackage[] }>('/models')).body;
    const offered = new Set(packages.flatMap(types));
    expect(offered.size).toBe(6);
    const yolox = packages.find((one) => one.package_id === 'yolox-nano');
    expect(yolox).toMatchObject({
      licence: 'Apache-2.0',
      vendor: 'Megvii',
      origin: 'catalogue',
      size_bytes: 3_659_407,
    });
    expect(packages.every((one) => one.models.length > 0 && one.licence !== '')).toBe(true);
  });
});

describe('import from a folder', () => {
  it('imports every shared model', needs(models), async () => {
    if ('missing' in models) throw new Error(models.missing);
    const { status, body } = await importFrom(api, models.root);
    expect(status).toBe(200);
    expect(body.refused).toEqual([]);
    const found = Object.fromEntries(body.imported.map((one) => [one.package_id, [one.origin, types(one)]]));
    expect(found).toEqual({
      'yolox-nano': ['catalogue', ['OBJECT_DETECTION']],
      ultraface: ['catalogue', ['OBJECT_DETECTION']],
      'shufflenet-v2-int8': ['catalogue', ['IMAGE_TAGGING']],
      'mobilenet-v2-int8': ['catalogue', ['IMAGE_TAGGING', 'MULTIMODEL_IMAGE_ENCODING']],
      'standin-clip': ['own', ['MULTIMODEL_IMAGE_ENCODING', 'IMAGE_TAGGING']],
      'standin-text': ['own', ['CAPTION_ENCODING']],
    });
    expect(await packageOf(api, 'yolox-nano')).toMatchObject({ state: 'installed', failure_reason: null });

    const again = await importFrom(api, join(models.root, 'yolox-nano'));
    expect(again.body.imported.map((one) => one.package_id)).toEqual(['yolox-nano']);
  });

  it.each([
    ['clip', ['MULTIMODEL_IMAGE_ENCODING', 'IMAGE_TAGGING']],
    ['siglip2', ['MULTIMODEL_IMAGE_ENCODING', 'IMAGE_TAGGING']],
    ['vit-gpt2', ['CAPTION_IMAGES', 'CAPTION_OBJECTS']],
    ['florence2', ['CAPTION_IMAGES', 'CAPTION_OBJECTS']],
    ['smolvlm', ['CAPTION_IMAGES', 'CAPTION_OBJECTS']],
    ['sentence-encoder', ['CAPTION_ENCODING']],
    ['detector', ['OBJECT_DETECTION']],
  ] as [TinyModel, EnrichmentType[]][])('recognises a folder of transformers.js: %s', async (name, expected) => {
    const folder = writeTinyModel(await temporaryFolder(), name);
    const { body } = await importFrom(api, folder);
    expect(body.refused).toEqual([]);
    expect(types(body.imported[0])).toEqual(expected);
    expect(Object.keys(TINY_MODELS)).toContain(name);
  });

  it('imports a model with its own description, and follows links', async () => {
    const stored = await temporaryFolder();
    await writeFile(join(stored, 'blob'), tinyEncoder());
    const folder = join(await temporaryFolder(), 'My Model');
    await mkdir(folder);
    await symlink(join(stored, 'blob'), join(folder, 'model.onnx'));
    await writeFile(
      join(folder, 'vitrine.json'),
      JSON.stringify({ name: 'Mine', licence: 'MIT', type: 'MULTIMODEL_IMAGE_ENCODING', runner: TINY_RUNNER }),
    );
    const { body } = await importFrom(api, folder);
    expect(body.refused).toEqual([]);
    expect(body.imported[0]).toMatchObject({ package_id: 'my-model', name: 'Mine', origin: 'own', state: 'installed' });

    await writeFile(join(stored, 'blob'), tinyEncoder(500));
    const other = await importFrom(api, folder);
    expect(other.body.refused[0]?.reason).toContain('remove it first');
  });

  it('imports embeddings from a Parquet file', async () => {
    const file = join(await temporaryFolder(), 'mine.parquet');
    await writeFile(
      file,
      embeddings([
        [1, 0, 0.5],
        [0, 1, 0.5],
      ]),
    );
    const { body } = await importFrom(api, file);
    expect(types(body.imported[0])).toEqual(['MULTIMODEL_IMAGE_ENCODING']);

    await writeFile(
      file,
      embeddings([
        [1, 0],
        [0, 1, 0.5],
      ]),
    );
    const uneven = await importFrom(api, file);
    expect(uneven.body.refused).toEqual([
      { name: 'mine.parquet', reason: 'The vectors differ in length', problem: message('embeddings_uneven') },
    ]);
  });

  it('reports the problem of each unusable folder, and imports the others', async () => {
    const root = await temporaryFolder();
    const make = async (name: string, files: Record<string, string | Buffer>) => {
      await mkdir(join(root, name));
      for (const [path, content] of Object.entries(files)) await writeFile(join(root, name, path), content);
    };
    await make('alone', { 'model.onnx': tinyEncoder() });
    await make('cut-off', {
      'model.onnx': tinyEncoder().subarray(0, 500),
      'vitrine.json': JSON.stringify({ type: 'MULTIMODEL_IMAGE_ENCODING', runner: TINY_RUNNER }),
    });
    await make('a-page', {
      'model.onnx': '<!DOCTYPE html><title>Please log in</title>',
      'vitrine.json': JSON.stringify({ type: 'MULTIMODEL_IMAGE_ENCODING', runner: TINY_RUNNER }),
    });
    await make('no-model', {
      'vitrine.json': JSON.stringify({ type: 'MULTIMODEL_IMAGE_ENCODING', runner: TINY_RUNNER }),
    });
    await make('wrong', { 'vitrine.json': JSON.stringify({ type: 'SINGING', runner: TINY_RUNNER }) });
    await make('outside', {
      'vitrine.json': JSON.stringify({
        type: 'MULTIMODEL_IMAGE_ENCODING',
        runner: { ...TINY_RUNNER, model_file: '../alone/model.onnx' },
      }),
    });
    await make('not-yolox', { 'yolox_nano.onnx': tinyEncoder(), 'coco_classes.txt': 'cat\n' });
    await make('unknown-kind', { 'config.json': JSON.stringify({ model_type: 'whisper' }) });
    await make('other-length', {
      'model.onnx': tinyEncoder(),
      'vitrine.json': JSON.stringify({ type: 'MULTIMODEL_IMAGE_ENCODING', runner: { ...TINY_RUNNER, dim: 100 } }),
    });
    await make('holiday', { 'notes.txt': 'nothing' });
    const half = writeTinyModel(root, 'clip');
    await cp(half, join(root, 'half-clip'), { recursive: true });
    await writeFile(join(root, 'half-clip', 'preprocessor_config.json'), '{');

    const { status, body } = await importFrom(api, root);
    expect(status).toBe(200);
    const reasons = Object.fromEntries(body.refused.map(({ name, reason }) => [name, reason]));
    expect(reasons).toMatchObject({
      alone: expect.stringContaining('vitrine.json is missing'),
      'cut-off': 'model.onnx is cut off',
      'a-page': 'model.onnx is not an ONNX model',
      'no-model': 'model.onnx is missing',
      'other-length': expect.stringMatching(/"other-length" is not as described/),
      wrong: expect.stringContaining('vitrine.json, type'),
      outside: expect.stringContaining('must stay inside the folder'),
      'not-yolox': expect.stringContaining('yolox_nano.onnx is not the file that YOLOX-Nano has'),
      'unknown-kind': expect.stringContaining('whisper'),
      'half-clip': 'preprocessor_config.json cannot be understood',
      holiday: expect.stringContaining('There is no model here'),
    });
    expect(body.imported.map((one) => one.package_id)).toEqual(['clip']);
    for (const { reason } of body.refused) expect(reason).not.toContain(root);
  });

  it('refuses descriptions that contradict themselves', async () => {
    const root = await temporaryFolder();
    const make = async (name: string, description: object, files: Record<string, string | Buffer>) => {
      await mkdir(join(root, name));
      await writeFile(join(root, name, 'vitrine.json'), JSON.stringify(description));
      for (const [path, content] of Object.entries(files)) await writeFile(join(root, name, path), content);
    };
    const about = (id: string) => ({ id, name: id, description: '', vendor: '', licence: '', source: null });
    const precomputed = { kind: 'precomputed', file: 'vectors.parquet', dim: 3 };
    const type = 'MULTIMODEL_IMAGE_ENCODING';
    await make('other-type', { type: 'IMAGE_TAGGING', runner: TINY_RUNNER }, { 'model.onnx': tinyEncoder() });
    await make('no-vectors', { type, runner: precomputed }, { 'vectors.parquet': 'PAR1' });
    await make(
      'other-vectors',
      { type, runner: { ...precomputed, dim: 4 } },
      { 'vectors.parquet': Buffer.from(embeddings([[1, 0, 0.5]])) },
    );
    await make(
      'no-models',
      { packages: [{ ...about('no-models'), files: [{ path: 'model.onnx' }] }], models: [] },
      { 'model.onnx': tinyEncoder() },
    );
    await make(
      'not-listed',
      {
        packages: [{ ...about('not-listed'), files: [{ path: 'notes.txt' }] }],
        models: [{ ...about('not-listed'), type, package_id: 'not-listed', runner: precomputed }],
      },
      { 'notes.txt': 'nothing' },
    );
    await make('ours', { type, runner: { ...TINY_RUNNER, model_file: 'installed.json' } }, { 'installed.json': '{}' });
    const { body } = await importFrom(api, root);
    expect(body.imported).toEqual([]);
    expect(Object.fromEntries(body.refused.map(({ name, reason }) => [name, reason]))).toEqual({
      'other-type': 'vitrine.json, runner: is not of a kind that does IMAGE_TAGGING',
      'no-vectors': expect.stringContaining('Parquet'),
      'other-vectors': 'The vectors of vectors.parquet have 3 numbers, not 4',
      'no-models': 'vitrine.json names no model',
      'not-listed': 'vectors.parquet is missing',
      ours: 'vitrine.json, runner.model_file: is a name that Vitrine reserves',
    });
  });

  it('distinguishes models of the same name', async () => {
    const folder = await temporaryFolder();
    const make = async (name: string, content: Buffer) => {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'model.onnx'), content);
      await writeFile(
        join(folder, name, 'vitrine.json'),
        JSON.stringify({ type: 'MULTIMODEL_IMAGE_ENCODING', runner: TINY_RUNNER }),
      );
      return importFrom(api, join(folder, name));
    };
    // A catalogue model in a package with another name, and the built-in model.
    for (const name of ['clip-vit-base-patch32-tags', 'visual-descriptor-1']) {
      const { body } = await make(name, tinyEncoder());
      expect(body.imported.map((one) => [one.package_id, one.models[0]?.id])).toEqual([[`${name}-own`, `${name}-own`]]);
    }
    const same = join(folder, 'same');
    await cp(writeTinyModel(await temporaryFolder(), 'clip'), same, { recursive: true });
    const both = await importFrom(api, same);
    expect(both.body.imported[0]?.models.map(({ id }) => id)).toEqual(['same', 'same-tags']);
    const { body } = await make('same-tags', tinyEncoder());
    expect([body.imported, body.refused[0]?.reason]).toEqual([[], expect.stringContaining('same-tags')]);
  });

  it('refuses invalid paths', async () => {
    for (const path of ['relative', '/nowhere/at/all']) {
      expect((await importFrom(api, path)).status).toBe(400);
    }
    expect((await importFrom(api, '')).status).toBe(422);
    const endless = await temporaryFolder();
    for (let folder = 0; folder < 2100; folder += 1) await mkdir(join(endless, String(folder)));
    const refused = await importFrom(api, endless);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('too many folders')]);
    const { body } = await importFrom(api, await temporaryFolder());
    expect(body).toMatchObject({
      imported: [],
      refused: [{ reason: expect.stringContaining('There is no model here') }],
    });
  });

  it('skips a folder that may not be read', needs(posix, notRoot), async () => {
    const root = await temporaryFolder();
    await mkdir(join(root, 'locked'), { mode: 0 });
    onTestFinished(() => chmod(join(root, 'locked'), 0o755));
    await mkdir(join(root, 'empty'));
    const { status, body } = await importFrom(api, root);
    expect([status, body.imported]).toEqual([200, []]);
    expect(body.refused).toContainEqual({ name: 'locked', reason: expect.stringContaining('cannot be read') });
  });

  it('finds the models in a hub’s cache', async () => {
    const cache = await temporaryFolder();
    const snapshot = join(cache, 'models--someone--captions', 'snapshots', '0123abc');
    await cp(writeTinyModel(await temporaryFolder(), 'sentence-encoder'), snapshot, { recursive: true });
    const { body } = await importFrom(api, cache);
    expect([body.imported.map((one) => one.package_id), body.refused]).toEqual([['captions'], []]);
  });

  it('imports a package from the data folder of another Vitrine', async () => {
    const there = await withHub();
    await download(there.api);
    await reaches(there.api, 'installed');
    const here = await importFrom(api, join(there.data, 'models', 'tiny'));
    expect(here.body.refused).toEqual([]);
    expect(here.body.imported[0]).toMatchObject({ package_id: 'tiny', origin: 'own', state: 'installed' });
  });
});

describe('an installed model whose files were damaged', () => {
  it('is repaired by another import', async () => {
    const { api: on, data } = await withHub();
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'model.onnx'), MODEL);
    expect((await importFrom(on, folder)).body.imported).toHaveLength(1);
    const installed = join(data, 'models', 'tiny', 'model.onnx');
    await writeFile(installed, Buffer.alloc(MODEL.length));
    expect((await importFrom(on, folder)).body.imported).toHaveLength(1);
    expect((await readFile(installed)).equals(MODEL)).toBe(true);
  });
});

describe('download', () => {
  it('shows its progress, tells listeners at most four times a second, and ends installed', async () => {
    const { api: on, hub } = await withHub();
    const stop = new AbortController();
    const heard = countEvents(on, 'models_changed', stop.signal);
    await midway(on, hub);
    const halfWay = await until(
      () => packageOf(on, 'tiny'),
      (one) => one.bytes_per_s !== null,
    );
    expect(halfWay).toMatchObject({ state: 'downloading', size_bytes: MODEL.length, failure_reason: null });
    expect(halfWay.bytes_per_s).toBeGreaterThan(0);
    expect((await download(on)).status).toBe(409);
    expect((await on.call('DELETE', '/models/tiny')).status).toBe(409);
    hub.hurry();
    expect(await reaches(on, 'installed')).toMatchObject({ received_bytes: 0, size_bytes: MODEL.length });
    stop.abort();
    const { n_events, seconds } = await heard;
    expect(n_events).toBeGreaterThan(1);
    expect(n_events).toBeLessThanOrEqual(4 * seconds + 3);
    expect((await download(on)).status).toBe(409);
  });

  it('resumes after a stop', async () => {
    const { api: on, hub, data } = await withHub();
    await midway(on, hub);
    const stopped = await json<ModelPackage>(on, 'POST', '/models/tiny/cancel', {});
    expect(stopped.body).toMatchObject({ state: 'not_installed', bytes_per_s: null, failure_reason: null });
    expect(stopped.body.received_bytes).toBeGreaterThan(200_000);
    expect((await json(on, 'POST', '/models/tiny/cancel', {})).status).toBe(409);
    hub.misbehave(() => undefined);
    await download(on);
    await reaches(on, 'installed');
    expect(hub.requests.at(-1)?.range).toBe(`bytes=${stopped.body.received_bytes}-`);
    expect((await readFile(join(data, 'models', 'tiny', 'model.onnx'))).equals(MODEL)).toBe(true);
  });

  it('is a task without dataset, which can be stopped', async () => {
    const { api: on, hub } = await withHub();
    await midway(on, hub);
    const { tasks } = (await on.get<{ tasks: Task[] }>('/tasks?task_type=MODEL_DOWNLOAD')).body;
    expect(tasks).toMatchObject([
      { status: 'RUNNING', dataset_id: '', dataset_name: '', step: 'Fetching Tiny', unit: 'megabytes' },
    ]);
    expect((await on.post(`/tasks/${tasks[0]?.task_id}/abort`)).body).toMatchObject({ status: 'ABORTED' });
    expect(await reaches(on, 'not_installed')).toMatchObject({ failure_reason: null });
    hub.misbehave(() => undefined);
    await download(on);
    await reaches(on, 'installed');
    const { body } = await on.get<{ tasks: Task[] }>('/tasks?task_type=MODEL_DOWNLOAD');
    expect(body.tasks.map(({ status }) => status)).toEqual(['COMPLETED', 'ABORTED']);
    const every = await on.get<{ tasks: Task[] }>('/tasks');
    expect(every.body).toMatchObject({ tasks: [], total: 0 });
    expect((await on.get('/tasks?with_service=true')).body).toMatchObject({ total: 2 });
    expect((await on.get('/tasks/filters')).body).toMatchObject({ task_types: [] });
    const filters = await on.get('/tasks/filters?with_service=true');
    expect(filters.body).toMatchObject({ dataset_ids: [], task_types: ['MODEL_DOWNLOAD'] });
  });

  it('resumes after the app was killed', async () => {
    const { hub, data, environment } = await startHub();
    const killed = await serve(data, environment);
    await midway(killed.api, hub);
    await killed.server.stop('SIGKILL');
    const { api: second } = await openData(data, { environment });
    const left = await packageOf(second, 'tiny');
    expect(left).toMatchObject({ state: 'not_installed', failure_reason: null });
    expect(left.received_bytes).toBeGreaterThan(200_000);
    hub.misbehave(() => undefined);
    await download(second);
    await reaches(second, 'installed');
    expect(hub.requests.at(-1)?.range).toBe(`bytes=${left.received_bytes}-`);
  });

  it('reports why it failed, can be retried, and leaves nothing incomplete', async () => {
    const { api: on, hub, data } = await withHub();
    hub.misbehave((path) => (path === PATH ? { kind: 'corrupt' } : undefined));
    await download(on);
    const failed = await reaches(on, 'failed');
    expect(failed.failure_reason).toContain('SHA-256 differs');
    expect(failed.failure_reason).not.toContain(data);
    expect(await readdir(join(data, 'models'))).not.toContain('tiny');
    hub.misbehave(() => undefined);
    await download(on);
    expect(await reaches(on, 'installed')).toMatchObject({ failure_reason: null });
  });

  it('is refused when downloads are off, with a hint about importing', async () => {
    const { api: on, hub } = await withHub();
    await json(on, 'PATCH', '/models/settings', { never_download: true });
    const refused = await json(on, 'POST', '/models/tiny/download', {});
    expect(refused.status).toBe(403);
    expect(refused.body.detail).toContain('imported from a folder');
    expect(hub.requests).toEqual([]);
  });

  it('never starts by itself', async () => {
    const { api: on, hub } = await withHub();
    await on.get('/models');
    await on.get('/models/devices');
    expect(hub.requests).toEqual([]);
  });

  it('reports in plain words that the hub cannot be reached', async () => {
    const { api: on, hub } = await withHub();
    hub.close();
    await download(on);
    const { failure_reason: error } = await reaches(on, 'failed');
    expect(error).toMatch(/^127\.0\.0\.1:\d+: The server cannot be reached\. .*import the model from a folder/);
  });

  it('is refused for unknown models and models without a download', async () => {
    const folderOnly = await json(api, 'POST', '/models/mobilenet-v2-int8/download', {});
    expect([400, 409]).toContain(folderOnly.status);
    expect((await json(api, 'POST', '/models/nobody/download', {})).status).toBe(404);
    expect((await json(api, 'POST', '/models/nobody/cancel', {})).status).toBe(404);
    expect((await api.call('DELETE', '/models/nobody')).status).toBe(404);
  });
});

describe('removal', () => {
  it('deletes the files; a catalogue model can be installed again, an own model cannot', async () => {
    const { api: on, data } = await withHub();
    await download(on);
    await reaches(on, 'installed');
    expect((await on.call('DELETE', '/models/tiny')).body).toEqual({ removed: true, package_id: 'tiny' });
    expect(await packageOf(on, 'tiny')).toMatchObject({ state: 'not_installed', received_bytes: 0 });
    await expect(stat(join(data, 'models', 'tiny'))).rejects.toMatchObject({ code: 'ENOENT' });

    await importFrom(on, writeTinyModel(await temporaryFolder(), 'detector'));
    await on.call('DELETE', '/models/detector');
    await expect(packageOf(on, 'detector')).rejects.toThrow('no package');
  });
});

describe('label lists', () => {
  it('can be edited, survive a restart, and can be reset', async () => {
    const { api: first, data, environment, close } = await withHub();
    await importFrom(first, writeTinyModel(await temporaryFolder(), 'clip'));
    const path = '/models/labels/clip-tags';
    const before = (await first.get<{ labels: string[]; is_default: boolean }>(path)).body;
    expect(before.is_default).toBe(true);
    expect(before.labels.length).toBeGreaterThan(300);
    expect(new Set(before.labels).size).toBe(before.labels.length);
    const edited = await json(first, 'PUT', path, { labels: [' red ', 'green', 'red'] });
    expect(edited.body).toEqual({ labels: ['red', 'green'], is_default: false });
    expect((await packageOf(first, 'clip')).models[1]).toMatchObject({ id: 'clip-tags', labels_editable: true });
    await close();

    const { api: second } = await openData(data, { environment });
    expect((await second.get(path)).body).toEqual({ labels: ['red', 'green'], is_default: false });
    expect((await json(second, 'PUT', path, { labels: null })).body).toEqual(before);
    expect((await json(second, 'PUT', path, { labels: ['one'] })).status).toBe(422);
    expect((await json(second, 'PUT', path, { labels: ['one', 'one'] })).status).toBe(400);
    expect((await second.get('/models/labels/clip')).status).toBe(400);
    expect((await second.get('/models/labels/nobody')).status).toBe(404);
  });
});

describe('settings', () => {
  it('store the hub’s address and its mirrors, and accept only addresses', async () => {
    const { api: on, data, environment, close } = await withHub();
    const change = (body: object) => json<ModelSettings>(on, 'PATCH', '/models/settings', body);
    const changed = await change({
      hub_url: 'https://hub.example/',
      mirrors: ['https://a.example/x', 'http://b.example'],
    });
    expect(changed.body).toEqual({
      hub_url: 'https://hub.example',
      mirror_url: '',
      mirrors: ['https://a.example/x', 'http://b.example'],
      never_download: false,
    });
    for (const hubUrl of ['hub.example', 'file:///etc', 'https://me:secret@hub.example', '']) {
      expect((await change({ hub_url: hubUrl })).status, hubUrl).toBe(400);
    }
    expect((await change({ mirrors: ['nonsense'] })).status).toBe(400);
    await close();
    const { api: again } = await openData(data, { environment });
    expect((await again.get('/models/settings')).body).toEqual(changed.body);
  });
});

/** Counts the events with a name until the signal, and measures the time. */
async function countEvents(on: Api, name: string, signal: AbortSignal): Promise<{ n_events: number; seconds: number }> {
  const started = performance.now();
  let nEvents = 0;
  try {
    const response = await fetch(`${on.baseUrl}/api/v1/events`, { signal });
    const text = response.body?.pipeThrough(new TextDecoderStream());
    for await (const piece of text ?? []) nEvents += piece.split(`event: ${name}\n`).length - 1;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { n_events: nEvents, seconds: (performance.now() - started) / 1000 };
}

/** A Parquet file with the columns `filename` and `vector`. */
function embeddings(vectors: number[][]): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 2 },
        { name: 'filename', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
        { name: 'vector', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'FLOAT', repetition_type: 'OPTIONAL' },
      ],
      columnData: [
        { name: 'filename', data: vectors.map((_, at) => `image-${at}.jpg`) },
        { name: 'vector', data: vectors },
      ],
    }),
  );
}
