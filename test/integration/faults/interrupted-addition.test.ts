import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { type Api, until } from '../../support/api.ts';
import { noteFault } from '../../support/fault-count.ts';
import { checkFolder } from '../../support/kills/check-folder.ts';
import { serve } from '../../support/serve.ts';
import { killedBefore } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';
import { createTestCore, type TestCore } from '../../support/test-core.ts';
import { tinyPng } from '../../support/tiny-png.ts';

async function images(count: number, firstSeed: number): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(folder, { recursive: true });
  for (let at = 0; at < count; at += 1) await writeFile(join(folder, `${firstSeed + at}.png`), tinyPng(firstSeed + at));
  return folder;
}

const statusOf = async (core: TestCore, id: string) => (await core.call('get_dataset', { dataset_id: id })).status_new;
const addition = async (core: TestCore, id: string) => {
  const { tasks } = await core.call('list_tasks', { dataset_id: id, task_type: 'MEDIA_ADDITION' });
  return tasks[0];
};

async function ready(core: TestCore, folder: string): Promise<string> {
  const { dataset_id } = await core.call('process_path', { path: folder, name: 'd' });
  await until(
    () => statusOf(core, dataset_id),
    (status) => status === 'READY',
  );
  return dataset_id;
}

/** Describes no image until the run is aborted. Resolves when an image is first requested. */
function holdImages(core: TestCore): Promise<void> {
  return new Promise((begun) => {
    core.compute.beforeImage = (_path, signal) =>
      new Promise((_resolve, reject) => {
        begun();
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
  });
}

it('an addition resumes after each close of the app', async () => {
  let core = await createTestCore();
  const { data } = core;
  const id = await ready(core, await images(2, 0));
  let begun = holdImages(core);
  await core.call('add_media', { dataset_id: id, s3_uri: await images(3, 10) });
  for (let quit = 0; quit < 7; quit += 1) {
    await begun;
    await core.close();
    core = await createTestCore({ data });
    begun = holdImages(core);
  }
  await begun;
  await core.close();
  core = await createTestCore({ data });
  await until(
    () => statusOf(core, id),
    (status) => status === 'PARTIAL INDEX',
  );
  expect(await core.call('get_dataset', { dataset_id: id })).toMatchObject({ n_images: 5 });
});

it('an abandoned addition leaves nothing behind, so that its folder can be added again', async () => {
  let core = await createTestCore();
  const { data } = core;
  const id = await ready(core, await images(2, 0));
  const folder = await images(3, 10);
  const begun = holdImages(core);
  await core.call('add_media', { dataset_id: id, s3_uri: folder });
  await begun;
  await core.close();
  // Sets the task's state to that after five crashes.
  const catalog = new Database(join(data, 'catalog.db'));
  catalog.prepare(`UPDATE task SET attempts = 5 WHERE task_type = 'MEDIA_ADDITION'`).run();
  catalog.close();

  core = await createTestCore({ data });
  const failed = await until(
    () => addition(core, id),
    (task) => task?.status === 'FAILED',
  );
  expect(failed?.error_message).toBe('The task was interrupted repeatedly without making progress');
  expect(await statusOf(core, id)).toBe('READY');
  expect(await core.call('list_batches', { dataset_id: id })).toMatchObject({ batches: [{ n_files: 2 }] });

  await core.call('add_media', { dataset_id: id, s3_uri: folder });
  await until(
    () => statusOf(core, id),
    (status) => status === 'PARTIAL INDEX',
  );
  expect(await core.call('get_dataset', { dataset_id: id })).toMatchObject({ n_images: 5 });
});

it.each([
  ['its originals are kept', /INTO batch/],
  ['its task begins', /INSERT INTO task \([\s\S]*MEDIA_ADDITION/],
])('an addition that a kill interrupts before %s leaves nothing behind', async (_what, statement) => {
  const data = await temporaryFolder();
  const first = await openData(data);
  const id = await first.api.createFromFolder('d', await images(2, 0));
  await first.api.waitFor(id, 'READY');
  await first.api.atRest();
  await first.close();

  const second = await serve(data, killedBefore(statement));
  noteFault();
  const form = new FormData();
  for (const seed of [10, 11]) form.append('files', new Blob([Buffer.from(tinyPng(seed))]), `${seed}.png`);
  await second.api
    .call('POST', `/dataset/${id}/add_media`, { body: form })
    .catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
  expect((await second.server.ended).code).toBeNull();

  const { api } = await openData(data);
  await api.atRest();
  await checkFolder(data);
  expect(await readdir(join(data, 'media'))).toEqual([]);
  expect((await api.get<{ batches: unknown[] }>(`/dataset/${id}/batches`)).body.batches).toHaveLength(1);
  expect((await api.get('/recovery')).body).toEqual({ events: [], n_new: 0 });
});

describe('the archive of a draft leaves nothing behind', () => {
  async function draftOf(api: Api): Promise<string> {
    const { body } = await api.post<{ id: string }>('/dataset', { dataset_name: 'draft', bucket_path: '' });
    return body.id;
  }

  async function archive(entries: ReadonlyMap<string, Buffer>): Promise<FormData> {
    const zip = new ZipFile();
    for (const [name, bytes] of entries) zip.addBuffer(bytes, name);
    zip.end();
    const body = new FormData();
    body.append('file', new Blob([await buffer(zip.outputStream)]), 'images.zip');
    return body;
  }

  const pictures = (n: number) =>
    new Map(Array.from({ length: n }, (_, seed) => [`${seed}.png`, Buffer.from(tinyPng(seed))] as const));

  const storedFolders = (data: string) => readdir(join(data, 'media')).catch(() => []);

  function receiving(data: string): unknown[] {
    const catalog = new Database(join(data, 'catalog.db'), { readonly: true });
    try {
      return catalog.prepare('SELECT * FROM receiving_batch').all();
    } finally {
      catalog.close();
    }
  }

  it.each([
    ['it is stored', /INTO batch/],
    ['its task begins', /INSERT INTO task \([\s\S]*DATASET_CREATION/],
  ])('when a kill interrupts the upload before %s', async (_what, statement) => {
    const data = await temporaryFolder();
    const first = await serve(data, killedBefore(statement));
    noteFault();
    const id = await draftOf(first.api);
    await first.api
      .call('POST', `/dataset/${id}/upload`, { body: await archive(pictures(2)) })
      .catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
    expect((await first.server.ended).code).toBeNull();

    const { api } = await serve(data);
    await until(
      async () => receiving(data),
      (batches) => batches.length === 0,
    );
    expect(await storedFolders(data)).toEqual([]);
    expect((await api.get<{ batches: unknown[] }>(`/dataset/${id}/batches`)).body.batches).toEqual([]);
    // The draft takes an archive as before.
    expect((await api.call('POST', `/dataset/${id}/upload`, { body: await archive(pictures(2)) })).status).toBe(200);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 2 });
  });

  it('when it is refused', async () => {
    const data = await temporaryFolder();
    const { api } = await serve(data);
    const id = await draftOf(api);
    const body = await archive(new Map([['notes.doc', Buffer.from('no image')]]));
    expect((await api.call('POST', `/dataset/${id}/upload`, { body })).status).toBe(400);
    expect(receiving(data)).toEqual([]);
    expect(await storedFolders(data)).toEqual([]);
    expect((await api.get<{ batches: unknown[] }>(`/dataset/${id}/batches`)).body.batches).toEqual([]);
  });

  it('when the draft is deleted while it is received', async () => {
    const data = await temporaryFolder();
    const { api } = await serve(data);
    const id = await draftOf(api);
    const upload = api.call('POST', `/dataset/${id}/upload`, { body: await archive(pictures(2000)) });
    while (receiving(data).length === 0) await nextTurn();
    expect((await api.call('DELETE', `/dataset/${id}`)).status).toBe(200);
    // The task may have begun before the deletion, which then stops it.
    expect([200, 404]).toContain((await upload).status);
    await until(
      async () => [receiving(data), await storedFolders(data), await readdir(join(data, 'datasets'))],
      (left) => left.flat().length === 0,
    );
  });
});
