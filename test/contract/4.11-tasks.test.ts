import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi } from '../support/test-api.ts';

interface TaskPage {
  tasks: Task[];
  total: number;
  page: number;
  page_size: number;
}

let api: Api;
/** Unblocks the reading of images in folders named `held`. */
let release: () => void;
let folder: string;
let heldFolder: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  const test = await startTestApi({ finished: atEnd });
  const held = Promise.withResolvers<void>();
  release = held.resolve;
  atEnd(release);
  test.compute.beforeImage = (path, signal) => {
    if (!path.includes('held')) return undefined;
    const stopped = new Promise<void>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
    return Promise.race([held.promise, stopped]);
  };
  ({ api } = test);
  folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2, 3]);
  heldFolder = join(await temporaryFolder(atEnd), 'held');
  await writeImages(heldFolder, [4]);
  for (const name of ['Apples', 'Bears', 'bear cubs']) {
    const id = await api.createFromFolder(name, folder);
    await api.waitFor(id, 'READY');
    ids[name] = id;
  }
  await api.post(`/dataset/${ids.Bears}/add_media`, { s3_uri: await oneMore(5), auto_reindex: 'true' });
  await api.waitFor(ids.Bears ?? '', 'READY');
  await api.atRest();
});

async function oneMore(seed: number): Promise<string> {
  const more = await temporaryFolder(atEnd);
  await writeImages(more, [seed]);
  return more;
}

async function list(query = ''): Promise<TaskPage> {
  const { status, body } = await api.get<TaskPage>(`/tasks?${query}`);
  expect(status).toBe(200);
  return body;
}

const namesOf = ({ tasks }: TaskPage) => tasks.map(({ dataset_name }) => dataset_name);

/** Starts a creation that is blocked at its first image. */
async function heldCreation(name: string): Promise<{ id: string; task: Task }> {
  const id = await api.createFromFolder(name, heldFolder);
  const task = await until(
    async () => (await list(`dataset_id=${id}`)).tasks[0],
    (found) => found?.status === 'RUNNING' && found.step === 'Reading media',
  );
  if (!task) throw new Error('it has no task');
  return { id, task };
}

describe('the list of tasks', () => {
  it('has every task, newest first, with its creator and the status of its dataset', async () => {
    const { tasks, total, page, page_size } = await list();
    expect({ total, page, page_size }).toEqual({ total: 4, page: 1, page_size: 20 });
    expect(tasks.map(({ task_type, dataset_name }) => [task_type, dataset_name])).toEqual([
      ['MEDIA_ADDITION', 'Bears'],
      ['DATASET_CREATION', 'bear cubs'],
      ['DATASET_CREATION', 'Bears'],
      ['DATASET_CREATION', 'Apples'],
    ]);
    expect(tasks[0]).toMatchObject({
      dataset_id: ids.Bears,
      dataset_status: 'READY',
      status: 'COMPLETED',
      progress_percentage: 100,
      error_message: null,
      created_by: expect.stringContaining('@'),
      can_abort: false,
      can_retry: false,
    });
    expect(Date.parse(tasks[0]?.end_time ?? '')).toBeGreaterThanOrEqual(Date.parse(tasks[0]?.start_time ?? ''));
  });

  it('is filtered by each field', async () => {
    const [newest] = (await list()).tasks;
    expect(namesOf(await list(`dataset_id=${ids.Apples}`))).toEqual(['Apples']);
    expect(namesOf(await list('dataset_name=BEAR'))).toEqual(['Bears', 'bear cubs', 'Bears']);
    expect(namesOf(await list('task_type=MEDIA_ADDITION'))).toEqual(['Bears']);
    expect((await list('task_status=COMPLETED')).total).toBe(4);
    expect((await list('task_status=FAILED')).tasks).toEqual([]);
    expect((await list(`created_by=${encodeURIComponent(newest?.created_by ?? '')}`)).total).toBe(4);
    expect((await list('created_by=nobody@example.org')).total).toBe(0);
    expect((await list('dataset_name=bear&task_type=DATASET_CREATION')).total).toBe(2);
    expect((await list('dataset_name=%25')).total).toBe(0);
  });

  it('is filtered by time to the millisecond, bounds included', async () => {
    const { tasks } = await list('sort_order=asc');
    const [, second = ''] = tasks.map(({ start_time }) => start_time);
    const after = new Date(Date.parse(second) + 1).toISOString();
    expect((await list(`start_time_from=${second}`)).total).toBe(3);
    expect((await list(`start_time_from=${after}`)).total).toBe(2);
    expect((await list(`start_time_to=${second}`)).total).toBe(2);
    expect((await list(`start_time_from=${second}&start_time_to=${second}`)).total).toBe(1);
    const zoned = encodeURIComponent(second.replace('Z', '+00:00'));
    expect((await list(`start_time_from=${zoned}`)).total).toBe(3);
  });

  it.each(['start_time', 'status', 'task_type', 'dataset_name', 'dataset_id', 'created_by'] as const)(
    'is sorted by %s in both directions, without a task on two pages',
    async (by) => {
      const rising = await list(`sort_by=${by}&sort_order=asc`);
      const values = rising.tasks.map((task) => task[by]);
      expect(values).toEqual(values.toSorted());
      const falling = await list(`sort_by=${by}&sort_order=desc`);
      expect(falling.tasks.map(({ task_id }) => task_id)).toEqual(
        rising.tasks.map(({ task_id }) => task_id).toReversed(),
      );
      const pages = await Promise.all([1, 2].map((page) => list(`sort_by=${by}&page_size=5&page=${page}`)));
      expect(pages.flatMap(({ tasks }) => tasks).map(({ task_id }) => task_id)).toEqual(
        falling.tasks.map(({ task_id }) => task_id),
      );
      expect(pages[1]).toMatchObject({ page: 2, page_size: 5, total: 4, tasks: [] });
    },
  );

  it('lists the values of its filters', async () => {
    const { body } = await api.get('/tasks/filters');
    expect(body).toMatchObject({
      dataset_names: expect.arrayContaining(['Apples', 'Bears', 'bear cubs']),
      dataset_ids: expect.arrayContaining(Object.values(ids)),
      task_types: expect.arrayContaining(['DATASET_CREATION', 'MEDIA_ADDITION']),
      created_by: [expect.stringContaining('@')],
      datasets: expect.arrayContaining([{ id: ids.Bears, name: 'Bears' }]),
    });
    expect((await api.get<{ datasets: unknown[] }>('/tasks/filters')).body.datasets).toHaveLength(3);
    const none = await api.get(`/tasks/filters?start_time_to=2001-01-01T00:00:00Z`);
    expect(none.body).toEqual({ dataset_names: [], dataset_ids: [], task_types: [], created_by: [], datasets: [] });
  });
});

describe('stopping and retrying', () => {
  it('pauses a creation, resumes it at the end of the pause, and queues others meanwhile', async () => {
    expect((await api.get('/tasks/pause')).body).toEqual({ paused: false });
    const { id, task } = await heldCreation('paused');
    expect(await api.call('POST', '/tasks/pause', json({ paused: true }))).toMatchObject({ body: { paused: true } });
    const later = await api.createFromFolder('later', folder);
    expect((await api.get<Dataset>(`/dataset/${id}`)).body.status_new).toBe('INDEXING');
    expect((await list(`dataset_id=${later}`)).tasks).toMatchObject([{ status: 'INITIALIZING' }]);
    expect((await api.get('/tasks/pause')).body).toEqual({ paused: true });
    expect(await api.call('POST', '/tasks/pause', json({ paused: false }))).toMatchObject({ body: { paused: false } });
    await api.waitFor(later, 'READY');
    expect((await list(`dataset_id=${id}`)).tasks).toMatchObject([{ status: 'RUNNING', step: 'Reading media' }]);
    expect((await api.post(`/tasks/${task.task_id}/abort`)).status).toBe(200);
  });

  it('stops a creation, reports its dataset as stopped, and resumes it on retry', async () => {
    const { id, task } = await heldCreation('stopped');
    expect(task).toMatchObject({ can_abort: true, can_retry: false, end_time: null });
    expect((await api.post(`/tasks/${task.task_id}/retry`)).status).toBe(400);
    const aborted = await api.post<Task>(`/tasks/${task.task_id}/abort`);
    expect(aborted).toMatchObject({ status: 200, body: { status: 'ABORTED', error_message: null, can_retry: true } });
    expect((await api.get<Dataset>(`/dataset/${id}`)).body).toMatchObject({ status_new: 'ERROR', stopped: true });
    expect((await api.post(`/tasks/${task.task_id}/abort`)).status).toBe(409);

    const retried = await api.post<Task>(`/tasks/${task.task_id}/retry`);
    expect(retried).toMatchObject({ status: 200, body: { status: 'INITIALIZING', task_id: task.task_id } });
    expect(await api.get<Dataset>(`/dataset/${id}`)).toMatchObject({
      body: { status_new: 'INDEXING', stopped: false },
    });
    release();
    await api.waitFor(id, 'READY');
    expect((await list(`dataset_id=${id}`)).tasks).toMatchObject([{ status: 'COMPLETED' }]);
    expect((await api.post(`/tasks/${task.task_id}/abort`)).status).toBe(409);
    expect((await api.post(`/tasks/${task.task_id}/retry`)).status).toBe(400);
  });

  it('reports why a creation failed, and that it can be retried', async () => {
    const nothing = await temporaryFolder(atEnd);
    await writeFile(join(nothing, 'empty.jpg'), '');
    const id = await api.createFromFolder('nothing', nothing);
    const { body } = await until(
      () => api.get<Dataset>(`/dataset/${id}`),
      (answer) => answer.body.status_new === 'ERROR',
    );
    expect(body).toMatchObject({ stopped: false, fatal_error_msg: expect.any(String) });
    const [task] = (await list(`dataset_id=${id}`)).tasks;
    expect(task).toMatchObject({ status: 'FAILED', error_message: body.fatal_error_msg, can_retry: true });
  });

  it('refuses task types that cannot be stopped or retried', async () => {
    const [added] = (await list('task_type=MEDIA_ADDITION')).tasks;
    expect((await api.post(`/tasks/${added?.task_id}/abort`)).status).toBe(400);
    expect((await api.post(`/tasks/${added?.task_id}/retry`)).status).toBe(400);
    expect((await api.post('/tasks/not-an-id/abort')).status).toBe(422);
  });
});

describe('a dataset', () => {
  it('is renamed and described, and its tasks show the new name', async () => {
    const path = `/dataset/${ids.Apples}`;
    const renamed = await api.call<Dataset>('PATCH', path, json({ display_name: ' Pears ', description: 'Green' }));
    expect(renamed).toMatchObject({ status: 200, body: { display_name: 'Pears', description: 'Green' } });
    expect((await api.call<Dataset>('PATCH', path, json({ description: '' }))).body.display_name).toBe('Pears');
    expect((await api.get<Dataset>(path)).body).toMatchObject({ display_name: 'Pears', description: '' });
    expect(namesOf(await list(`dataset_id=${ids.Apples}`))).toEqual(['Pears']);
    expect((await api.call('PATCH', path, json({ display_name: ' ' }))).status).toBe(422);
    const nowhere = '/dataset/00000000-0000-4000-8000-000000000000';
    expect((await api.call('PATCH', nowhere, json({ display_name: 'x' }))).status).toBe(404);
  });
});
