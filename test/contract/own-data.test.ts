import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import type { WatchedFolder } from '../../src-main/contract/schemas/watched-folder.ts';
import { type Answer, type Api, json, until } from '../support/api.ts';
import { image, writeImages } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

/** Starts a server whose data folder is inside a folder of images, with a READY dataset of that folder and an upload. */
async function dataBesideImages() {
  const root = await temporaryFolder();
  const data = join(root, 'library');
  await mkdir(data);
  await writeImages(root, [1, 2]);
  const { api } = await openData(data);
  const id = await api.createFromFolder('beside', root);
  await api.waitFor(id, 'READY');
  const body = new FormData();
  body.append('files', new File([new Uint8Array(await image(3))], 'sent.jpg'));
  expect((await api.call('POST', `/dataset/${id}/add_media`, { body })).status).toBe(202);
  await api.waitFor(id, 'PARTIAL INDEX');
  return { root, data, api, id };
}

function watch(api: Api, id: string, path: string): Promise<Answer<WatchedFolder>> {
  return api.call('POST', `/dataset/${id}/watched_folders`, json({ path }));
}

describe('the data folder', () => {
  it('is skipped in a folder that is added or watched', async () => {
    const { root, api, id } = await dataBesideImages();
    const again = await api.createFromFolder('again', root);
    expect(await api.waitFor(again, 'READY')).toMatchObject({ n_images: 2 });

    expect((await watch(api, id, root)).status).toBe(200);
    await until(
      () => api.get<{ watched_folders: WatchedFolder[] }>(`/dataset/${id}/watched_folders`),
      ({ body }) => body.watched_folders[0]?.state === 'watching',
    );
    const body = new FormData();
    body.append('files', new File([new Uint8Array(await image(4))], 'later.jpg'));
    expect((await api.call('POST', `/dataset/${id}/add_media`, { body })).status).toBe(202);
    await api.waitFor(id, 'PARTIAL INDEX');
    // Changes that the watch detects after the upload are reported after it.
    await writeImages(root, [5]);
    await until(
      () => api.get<Dataset>(`/dataset/${id}`),
      (answer) => answer.body.n_images >= 5,
    );
    await until(
      () => api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`),
      (answer) => answer.body.tasks.every(({ status }) => status === 'COMPLETED'),
    );
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ n_images: 5 });
  });

  it('is not accepted as a folder of media', async () => {
    const { data, api, id } = await dataBesideImages();
    for (const folder of [data, join(data, 'media')]) {
      const own = { status: 400, body: { detail: expect.stringContaining('own data') } };
      expect(await watch(api, id, folder)).toMatchObject(own);
      const body = new FormData();
      body.append('s3_uri', folder);
      expect(await api.call('POST', `/dataset/${id}/add_media`, { body })).toMatchObject(own);
      const whole = new FormData();
      whole.append('dataset_name', 'own');
      whole.append('bucket_path', folder);
      expect(await api.call('POST', '/dataset', { body: whole })).toMatchObject(own);
    }
  });
});
