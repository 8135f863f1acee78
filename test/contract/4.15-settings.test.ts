import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { FileError } from '../../src-main/contract/schemas/dataset.ts';
import type { Setting } from '../../src-main/contract/schemas/setting.ts';
import type { LogLevel } from '../../src-main/core/ports/log.ts';
import { buildZip } from '../integration/archives/build-archive.ts';
import type { Answer, Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { makeWithFfmpeg } from '../support/ffmpeg.ts';
import { image, writeImages } from '../support/images.ts';
import { S3_CREDENTIALS, startS3Server } from '../support/s3-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

const logLevels: LogLevel[] = [];
let test: TestApi;
let api: Api;
let dataset: string;

const json = (method: string, path: string, body: unknown) =>
  api.call(method, path, { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
const read = (key: string) => api.get<{ value: string; detail?: string }>(`/admin/settings?key=${key}`);
const set = (key: string, value: unknown) => json('POST', '/admin/settings', { key, value });
const reset = (key: string) => api.call<Setting & Record<string, unknown>>('DELETE', `/settings/${key}`);

/** Runs `work` with a changed setting and resets the setting afterwards. */
async function having<T>(key: string, value: unknown, work: () => Promise<T>): Promise<T> {
  expect((await set(key, value)).status).toBe(200);
  try {
    return await work();
  } finally {
    expect((await reset(key)).status).toBe(200);
  }
}

/** Adds the files at a location to the dataset. Returns the response and, if the addition started, the reasons of failed files. */
async function add(location: string): Promise<{ status: number; detail: unknown; reasons: string[] }> {
  const before = await fileErrors();
  const { status, body } = await api.post(`/dataset/${dataset}/add_media`, { s3_uri: location, auto_reindex: 'true' });
  if (status === 202) await api.waitFor(dataset, 'READY');
  const known = before.map(({ file_path }) => file_path);
  const failed = (await fileErrors()).filter(({ file_path }) => !known.includes(file_path));
  return { status, detail: body?.detail, reasons: failed.map(({ reason }) => reason) };
}

async function fileErrors(): Promise<FileError[]> {
  return (await api.get<{ file_errors: FileError[] }>(`/dataset/${dataset}/file_errors`)).body.file_errors;
}

const counts = async () => (await api.get<{ n_images: number; n_frames: number }>(`/dataset/${dataset}/stats`)).body;

beforeAll(async () => {
  for (const [name, value] of Object.entries(S3_CREDENTIALS)) vi.stubEnv(name, value);
  test = await startTestApi({
    finished: atEnd,
    environment: { RUN_MODE: 'ONPREM', VITRINE_EXPORT_MOST: '30', VITRINE_VIDEO_MAX_FRAMES: 'many' },
    setLogLevel: (level) => logLevels.push(level),
  });
  ({ api } = test);
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2, 3]);
  dataset = await api.createFromFolder('settings', folder);
  await api.waitFor(dataset, 'READY');
});

describe('a setting', () => {
  it('returns its default, then its set value, under either spelling of its name', async () => {
    expect(await read('ADD_MEDIA_ENABLED')).toMatchObject({ status: 200, body: { value: 'true' } });
    expect(await set('ADD-MEDIA-ENABLED', false)).toMatchObject({ status: 200, text: '{"value":"false"}' });
    expect((await read('ADD-MEDIA-ENABLED')).body).toEqual({ value: 'false' });
    expect((await reset('ADD_MEDIA_ENABLED')).body).toMatchObject({ value: 'true', is_overridden: false });
  });

  it.each(['NO_SUCH_SETTING', 'add_media_enabled', 'constructor', '__proto__'])('%s does not exist', async (key) => {
    expect(await read(key)).toMatchObject({ status: 400, body: { detail: `There is no setting ${key}` } });
    expect((await set(key, 'true')).status).toBe(400);
    expect((await reset(key)).status).toBe(400);
  });

  it('is set by a known name, to a value of its type', async () => {
    expect((await api.get('/admin/settings')).status).toBe(422);
    expect((await json('POST', '/admin/settings', { value: 'true' })).status).toBe(422);
    expect(await set('ADD_MEDIA_ENABLED', 'perhaps')).toMatchObject({
      status: 422,
      body: { fields: { value: 'must be true or false' } },
    });
    expect((await json('POST', '/admin/settings', { key: 'ADD_MEDIA_ENABLED' })).status).toBe(422);
  });

  it('is listed with its description; a valid value of the environment replaces the default', async () => {
    const { settings } = (await api.get<{ settings: Setting[] }>('/settings')).body;
    const named = (name: string) => settings.find((one) => one.name === name);
    expect(named('LOG_LEVEL')).toMatchObject({ type: 'choice', choices: expect.arrayContaining(['CRITICAL']) });
    expect(named('EXPORT_MOST')).toMatchObject({ value: '30', default: '30', is_overridden: false, minimum: 1 });
    expect(named('VIDEO_MAX_FRAMES')).toMatchObject({ value: '600' });
  });

  it('is announced when it changes, and survives a restart', async () => {
    const heard: unknown[] = [];
    const stop = test.core.subscribe(({ name, data }) => name === 'settings_changed' && heard.push(data));
    await json('POST', '/settings', { key: 'ISSUE_BLUR', value: '2' });
    stop();
    expect(heard).toEqual([{ keys: ['ISSUE_BLUR'] }]);
    expect(await reset('ISSUE_BLUR')).toMatchObject({ status: 200, body: { value: '1' } });

    const data = await temporaryFolder();
    const first = await startTestApi({ data });
    await first.call('change_setting', { key: 'EXPORT_MOST', value: 7 });
    await first.close();
    const second = await startTestApi({ data });
    expect((await second.call('list_settings', {})).settings).toContainEqual(
      expect.objectContaining({ name: 'EXPORT_MOST', value: '7', is_overridden: true }),
    );
    expect(await second.api.get('/admin/settings?key=EXPORT_MOST')).toMatchObject({ status: 403 });
  });
});

describe('at once', () => {
  it.each<[string, string, () => Promise<Answer>]>([
    ['ADD_MEDIA_ENABLED', 'Add media feature is not enabled', () => api.post(`/dataset/${dataset}/add_media`, {})],
    ['DELETE_DATASET_ENABLED', '', () => api.call('DELETE', `/dataset/${dataset}`)],
    ['DATASET_SHARE_ENABLED', '', () => api.get(`/manage/${dataset}/share`)],
    ['DATASET_SNAPSHOTS_ENABLED', '', () => api.get(`/dataset/${dataset}/snapshot`)],
  ])('%s turns its operations off', async (key, detail, call) => {
    const answer = await having(key, 'False', call);
    expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining(detail) } });
  });

  it('LOG_LEVEL reaches the log', async () => {
    await having('LOG_LEVEL', 'error', async () => undefined);
    expect(logLevels).toEqual(['INFO', 'ERROR', 'INFO']);
  });

  it('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC reaches the image decoder', async () => {
    const swapped: unknown[] = [];
    const describeImages = test.compute.describeImages;
    test.compute.describeImages = (items, encoders, signal) => {
      swapped.push(...items.map((item) => item.swap_rgb));
      return describeImages(items, encoders, signal);
    };
    const folder = await temporaryFolder();
    await writeImages(folder, [20]);
    await having('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC', true, () => add(folder));
    test.compute.describeImages = describeImages;
    expect(swapped).toEqual([true]);
  });

  it('ALLOW_PRIVATE_MEDIA_URLS opens private addresses, and closes connections to them', async () => {
    const media = createServer(async (_request, reply) => reply.end(await image(30)));
    await new Promise<void>((listening) => media.listen(0, '127.0.0.1', listening));
    atEnd(() => media.close());
    const list = join(await temporaryFolder(), 'list.txt');
    const listing = async (name: string) => {
      await writeFile(list, `http://127.0.0.1:${(media.address() as AddressInfo).port}/${name}.jpg`);
      return add(list);
    };
    const refused = [expect.stringContaining('private network')];
    expect((await listing('before')).reasons).toEqual(refused);
    expect((await having('ALLOW_PRIVATE_MEDIA_URLS', 'true', () => listing('meanwhile'))).reasons).toEqual([]);
    expect((await listing('after')).reasons).toEqual(refused);
  });

  it('S3_ENDPOINT selects another storage', async () => {
    const [first, second] = [
      await startS3Server(await temporaryFolder(atEnd)),
      await startS3Server(await temporaryFolder(atEnd)),
    ];
    atEnd(() => first.close());
    atEnd(() => second.close());
    await first.put('media', 'a.jpg', await image(40));
    await second.put('media', 'b/c.jpg', await image(41));
    const before = (await counts()).n_images;
    expect((await having('S3_ENDPOINT', first.endpoint, () => add('s3://media'))).status).toBe(202);
    await having('S3_ENDPOINT', second.endpoint, async () => {
      expect((await add('s3://media/b')).status).toBe(202);
    });
    expect((await counts()).n_images).toBe(before + 2);
  });

  it('S3_PATH_STYLE decides where addresses name the bucket', async () => {
    const storage = await startS3Server(await temporaryFolder(atEnd));
    atEnd(() => storage.close());
    await storage.put('media', 'a.jpg', await image(42));
    const requested = () => storage.requests.filter((line) => line.includes(' /media')).length;
    // DNS has no host with the bucket's name.
    const endpoint = storage.endpoint.replace('127.0.0.1', 'localhost');
    await having('S3_ENDPOINT', endpoint, async () => {
      expect((await having('S3_PATH_STYLE', 'false', () => add('s3://media'))).status).toBeGreaterThanOrEqual(400);
      expect(requested()).toBe(0);
      expect((await having('S3_PATH_STYLE', 'true', () => add('s3://media'))).status).toBe(202);
      expect(requested()).toBeGreaterThan(0);
    });
  });

  it('ARCHIVE_MAX_ENTRIES applies to the next archive', async () => {
    const zip = buildZip([
      { name: 'a.jpg', data: await image(50) },
      { name: 'b.jpg', data: await image(51) },
    ]);
    const send = () => {
      const body = new FormData();
      body.append('archive', new Blob([Uint8Array.from(zip)]), 'two.zip');
      return api.call('POST', `/dataset/${dataset}/add_media`, { body });
    };
    expect(await having('ARCHIVE_MAX_ENTRIES', 1, send)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('more than 1 entries') },
    });
  });

  it('FFMPEG_PATH and VIDEO_MAX_FRAMES apply to the next video', async () => {
    const folder = await temporaryFolder();
    const nowhere = await temporaryFolder();
    const video = (name: string) => {
      makeWithFfmpeg(['-f', 'lavfi', '-i', 'testsrc=duration=5:size=64x64:rate=5', join(folder, name)]);
      return join(folder, name);
    };
    const list = join(folder, 'list.txt');
    const adding = async (file: string) => {
      await writeFile(list, file);
      return add(list);
    };
    const { reasons } = await having('FFMPEG_PATH', nowhere, async () => adding(video('a.mp4')));
    expect(reasons).toEqual([expect.stringContaining('not found at the configured path')]);
    expect((await having('VIDEO_MAX_FRAMES', 2, async () => adding(video('b.mp4')))).reasons).toEqual([]);
    expect((await counts()).n_frames).toBe(2);
  });

  it('EXPORT_MAX_ITEMS applies to the next export', async () => {
    const { body } = await having('EXPORT_MAX_ITEMS', 1, () =>
      api.get<{ status: string }>(`/dataset/${dataset}/export_context_async?export_format=json`),
    );
    expect(body.status).toBe('REJECTED');
  });

  it('DATASET_READERS and OPEN_DATASETS apply to open datasets', async () => {
    await having('DATASET_READERS', 2, () =>
      having('OPEN_DATASETS', 1, async () => {
        const answers = await Promise.all([1, 2, 3, 4].map(() => api.get(`/explore/${dataset}`)));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      }),
    );
  });

  it('MODELS_CATALOGUE is read, or refused without revealing content of the file', async () => {
    const packages = async () => (await api.get<{ packages: { package_id: string }[] }>('/models')).body.packages;
    const own = await packages();
    const file = join(await temporaryFolder(), 'models.json');
    await writeFile(file, 'hush: a secret of this machine');
    const refused = await set('MODELS_CATALOGUE', file);
    expect(refused).toMatchObject({ status: 400, body: { detail: 'There is no catalogue of models at this path' } });
    await writeFile(file, JSON.stringify({ packages: [], models: [] }));
    expect(await having('MODELS_CATALOGUE', file, packages)).toEqual([]);
    expect(await packages()).toEqual(own);
  });

  it('MODELS_NEVER_DOWNLOAD appears in the settings of models', async () => {
    const { body } = await having('MODELS_NEVER_DOWNLOAD', true, () => api.get('/models/settings'));
    expect(body).toMatchObject({ never_download: true });
  });
});
