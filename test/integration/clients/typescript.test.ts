import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type FilePart, Vitrine, VitrineError } from '../../../clients/typescript/index.ts';
import { filesIn, findLocal, openLocal } from '../../../clients/typescript/local.ts';
import { addAccount, signIn, WITH_ACCOUNTS } from '../../support/accounts.ts';
import { atEnd } from '../../support/at-end.ts';
import { writeImages } from '../../support/images.ts';
import { serve } from '../../support/serve.ts';
import { repository, startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startTestApi } from '../../support/test-api.ts';
import { zipEntries } from '../../support/zip-entries.ts';

let data: string;
let photos: string;
let vitrine: Vitrine;
let datasetId: string;

beforeAll(async () => {
  const folder = await temporaryFolder(atEnd);
  data = join(folder, 'data');
  photos = join(folder, 'photos');
  await writeImages(photos, [1, 2, 3]);
  const server = await startServer(data);
  atEnd(() => server.stop());
  vitrine = new Vitrine({ baseUrl: server.baseUrl });
  const states: string[] = [];
  const dataset = await vitrine.index(
    { name: 'Photos', path: photos },
    { onProgress: ({ status_new }) => states.push(status_new) },
  );
  expect(dataset).toMatchObject({ display_name: 'Photos', status_new: 'READY', n_images: 3 });
  expect(states.at(-1)).toBe('READY');
  datasetId = dataset.id;
});

describe('the typed client', () => {
  it('finds a dataset by id and by name', async () => {
    expect((await vitrine.findDataset('Photos')).id).toBe(datasetId);
    expect((await vitrine.findDataset(datasetId)).id).toBe(datasetId);
    await expect(vitrine.findDataset('Nothing')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('pages through lists', async () => {
    const names: string[] = [];
    for await (const { file_name } of vitrine.each('list_items', { dataset_id: datasetId })) names.push(file_name);
    expect(names.toSorted()).toEqual(['image-00001.jpg', 'image-00002.jpg', 'image-00003.jpg']);
    for await (const task of vitrine.each('list_tasks', { dataset_id: datasetId }))
      expect(task.dataset_id).toBe(datasetId);
  });

  it('throws the error that the server describes', async () => {
    const missing = '00000000-0000-4000-8000-000000000000';
    await expect(vitrine.api.get_dataset({ dataset_id: missing })).rejects.toMatchObject({
      name: 'VitrineError',
      code: 'not_found',
      status: 404,
    });
    const invalid = vitrine.api.list_items({ dataset_id: datasetId, page_size: 100_000 });
    await expect(invalid).rejects.toMatchObject({ code: 'invalid_input', fields: { page_size: expect.any(String) } });
  });

  it('says when no server answers', async () => {
    const nobody = new Vitrine({ baseUrl: 'http://127.0.0.1:9' });
    await expect(nobody.api.healthcheck()).rejects.toMatchObject({ code: 'unreachable', status: 0 });
  });

  it('uploads files in batches and names those that were refused', async () => {
    async function* files(): AsyncGenerator<FilePart> {
      yield* filesIn(photos);
      yield { file: new Blob(['no image']), file_name: 'folder/notes.txt' };
    }
    const sent: number[] = [];
    const outcome = await vitrine.upload('Uploaded', files(), { onProgress: (progress) => sent.push(progress.files) });
    expect(outcome).toMatchObject({ accepted: 3, refused: [{ file_name: 'folder/notes.txt' }] });
    expect(sent.at(-1)).toBe(4);
    expect(await vitrine.waitForTask(outcome.task_id)).toMatchObject({ status: 'COMPLETED' });
    expect(await vitrine.waitForDataset(outcome.dataset_id)).toMatchObject({ status_new: 'READY', n_images: 3 });
  });

  it('exports, waits and downloads', async () => {
    const { items } = await vitrine.api.list_items({ dataset_id: datasetId });
    const mediaIds = items.slice(0, 2).map(({ media_id }) => media_id);
    const exported = await vitrine.export({
      dataset_id: datasetId,
      export_format: 'json',
      include_images: true,
      media_selection: [{ type: 'media', payload: { media_ids: mediaIds } }],
    });
    expect(exported).toMatchObject({ status: 'COMPLETED', entities_count: 2 });
    const file = await vitrine.download(exported.download_uri ?? '');
    const names = [...(await zipEntries(Buffer.from(await file.arrayBuffer()))).keys()];
    expect(names.filter((name) => name.startsWith('images/'))).toHaveLength(2);
  });

  it('streams changes until its signal fires', async () => {
    const stop = new AbortController();
    const changed: unknown[] = [];
    const listening = (async () => {
      for await (const event of vitrine.events(stop.signal)) {
        changed.push(event);
        if (event.name === 'dataset_changed') stop.abort();
      }
    })();
    while (!stop.signal.aborted) {
      await vitrine.api.update_dataset({ dataset_id: datasetId, description: String(Math.random()) });
      await pause(50);
    }
    await listening;
    expect(changed).toContainEqual({ name: 'dataset_changed', data: { dataset_id: datasetId } });
  });

  it('stops waiting when its signal fires', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(vitrine.waitForDataset(datasetId, { signal })).rejects.toThrow('enough');
  });
});

it('signs in with an API key and its secret, and has the rights of its account only', async () => {
  const test = await startTestApi({ environment: WITH_ACCOUNTS });
  await addAccount(test.data, { username: 'ann', role: 'viewer' });
  const ann = await signIn(test.api, 'ann');
  const { body } = await ann.get<{ api_key: string; api_secret: string }>('/api_credentials');
  const { baseUrl } = test.api;
  const asAnn = new Vitrine({ baseUrl, credentials: { apiKey: body.api_key, apiSecret: body.api_secret } });
  expect(await asAnn.api.get_account()).toMatchObject({ username: 'ann' });
  await expect(asAnn.api.new_dataset({ dataset_name: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(new Vitrine({ baseUrl }).api.get_account()).rejects.toMatchObject({ code: 'unauthenticated' });
});

describe('a server on this computer', () => {
  const command = [process.execPath, join(repository, 'out', 'main', 'headless.js'), 'serve'];

  it('is found by its data folder', async () => {
    expect((await findLocal({ data }))?.baseUrl).toBe(vitrine.baseUrl);
    await using local = await openLocal({ data, command });
    expect(local.isStarted).toBe(false);
    expect(await local.vitrine.findDataset('Photos')).toMatchObject({ id: datasetId });
  });

  it('is started when there is none, and stopped by whoever started it', async () => {
    const unused = await temporaryFolder();
    const local = await openLocal({ data: unused, command });
    expect(local.isStarted).toBe(true);
    expect(await local.vitrine.api.list_datasets()).toEqual([]);
    await local.close();
    expect(await findLocal({ data: unused })).toBeUndefined();
  });

  it('is not found by the file of a server that was killed', async () => {
    const killed = await temporaryFolder();
    const { server } = await serve(killed);
    await server.stop('SIGKILL');
    expect(await readFile(join(killed, 'address'), 'utf8')).toContain(basename(server.baseUrl));
    expect(await findLocal({ data: killed })).toBeUndefined();
  });

  it('says why none can be started', async () => {
    const failing = [process.execPath, '-e', 'console.error("no luck"); process.exit(1)', '--'];
    await expect(openLocal({ data: await temporaryFolder(), command: failing })).rejects.toThrow(/no luck/);
    await expect(openLocal({ data: await temporaryFolder(), command: ['/no/such/program'] })).rejects.toThrow(
      VitrineError,
    );
  });
});
