import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { type Api, until } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { writeImages } from '../../support/images.ts';
import { serve } from '../../support/serve.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FIRST = 4;
const ADDED = 60;
let first: string;
let added: string;
let uploads: string[];

const seeds = (count: number, from: number) => Array.from({ length: count }, (_, at) => from + at);

beforeAll(async () => {
  first = await temporaryFolder(atEnd);
  added = await temporaryFolder(atEnd);
  await writeImages(first, seeds(FIRST, 0));
  uploads = await writeImages(added, seeds(ADDED, 1000));
});

async function latestAddition(api: Api, id: string): Promise<Task | undefined> {
  const { body } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=MEDIA_ADDITION`);
  return body.tasks[0];
}

const isOpen = (task: Task | undefined) => task?.status === 'INITIALIZING' || task?.status === 'RUNNING';

describe('a disk that fills up', () => {
  it.for([0, 64, 256, 1024])(
    'with %i KiB left: an addition is completed or undone every time, and can be repeated',
    async (leftKib, context) => {
      const disk = await smallDisk(context, 64);
      const { api } = await serve(disk.data);
      const id = await api.createFromFolder('d', first);
      await api.waitFor(id, 'READY');

      let isIn = false;
      for (let time = 0; time < 2 && !isIn; time += 1) {
        disk.fill(leftKib);
        const { status } = await api.post(`/dataset/${id}/add_media`, { s3_uri: added });
        expect([202, 507]).toContain(status);
        await until(
          () => latestAddition(api, id),
          (task) => !isOpen(task) || task?.error_message !== null,
          90_000,
        );
        // If even the undo has no space, it waits until space is free. The reason is reported at once.
        disk.free();
        await until(
          () => latestAddition(api, id),
          (task) => !isOpen(task),
          90_000,
        );
        isIn = (await latestAddition(api, id))?.status === 'COMPLETED';
        expect((await api.get(`/dataset/${id}`)).body).toMatchObject(
          isIn
            ? { status_new: 'PARTIAL INDEX', n_images: FIRST + ADDED }
            : { status_new: 'READY', n_images: FIRST, fatal_error_msg: null },
        );
        expect((await api.get<{ batches: unknown[] }>(`/dataset/${id}/batches`)).body.batches).toHaveLength(
          isIn ? 2 : 1,
        );
      }

      if (!isIn) {
        expect((await api.post(`/dataset/${id}/add_media`, { s3_uri: added })).status).toBe(202);
        expect(await api.waitFor(id, 'PARTIAL INDEX')).toMatchObject({ n_images: FIRST + ADDED, n_file_errors: 0 });
      }
    },
  );

  it('without any space refuses uploads with 507, starts, and deletes a dataset', async (context) => {
    const disk = await smallDisk(context, 32);
    const { server, api } = await serve(disk.data);
    const id = await api.createFromFolder('d', first);
    await api.waitFor(id, 'READY');
    const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=u');
    const { body: opened } = await api.get<{ trans_id: number }>(`/ingestion/${draft.dataset_id}/data_files`);
    disk.fill(0);
    const answer = await api.upload(draft.dataset_id, opened.trans_id, uploads.slice(0, 5));
    expect(answer).toMatchObject({ status: 507, body: { detail: expect.stringContaining('full') } });
    await server.stop();
    disk.fill(0);

    const second = await serve(disk.data);
    disk.fill(0);
    expect((await second.api.get(`/dataset/${id}`)).body).toMatchObject({
      fatal_error_msg: null,
      status_new: 'READY',
      n_images: FIRST,
    });
    expect((await second.api.call('DELETE', `/dataset/${id}`)).status).toBe(200);
    expect((await second.api.get(`/dataset/${id}`)).status).toBe(404);
    disk.free();
    const again = await second.api.createFromFolder('again', first);
    expect(await second.api.waitFor(again, 'READY')).toMatchObject({ n_images: FIRST });
  });

  it('lets the app start, however little space is left', async (context) => {
    const disk = await smallDisk(context, 32);
    const { server, api } = await serve(disk.data);
    await api.waitFor(await api.createFromFolder('d', first), 'READY');
    await server.stop();
    const whole = join(await temporaryFolder(), 'whole');
    await cp(disk.data, whole, { recursive: true });
    for (let leftKib = 0; leftKib <= 70; leftKib += 10) {
      disk.free();
      await rm(disk.data, { recursive: true });
      await cp(whole, disk.data, { recursive: true });
      disk.fill(leftKib);
      const again = await serve(disk.data);
      expect(await again.api.get('/datasets'), `${leftKib} KiB left`).toMatchObject({ status: 200 });
      await again.server.stop();
    }
  });
});
