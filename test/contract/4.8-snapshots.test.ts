import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { Tag } from '../../src-main/contract/schemas/edit.ts';
import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import type { ExportTask } from '../../src-main/contract/schemas/export.ts';
import type { Snapshot, SnapshotChange } from '../../src-main/contract/schemas/snapshot.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { startHttpServer } from '../../src-main/http/server.ts';
import { Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { image, writeImages } from '../support/images.ts';
import { type InProcessCompute, inProcessCompute } from '../support/in-process-compute.ts';
import { silentLog } from '../support/silent-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestCore, type TestCore } from '../support/test-core.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let test: TestCore;
let compute: InProcessCompute;
let api: Api;

beforeAll(async () => {
  compute = inProcessCompute();
  test = await createTestCore({ compute, finished: atEnd });
  const http = await startHttpServer({
    core: test.core,
    log: silentLog,
    port: 0,
    temporaryFolder: test.core.temporaryFolder,
    rendererFolder: null,
  });
  atEnd(() => http.close());
  api = new Api(http.baseUrl);
});

async function newDataset(name: string, seeds: number[] = [1, 2, 3, 4]): Promise<string> {
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, seeds);
  const id = await api.createFromFolder(name, folder);
  await api.waitFor(id, 'READY');
  return id;
}

async function addFolder(id: string, seeds: number[], fields: Record<string, string> = {}): Promise<void> {
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, seeds);
  const { status } = await api.post(`/dataset/${id}/add_media`, { s3_uri: folder, ...fields });
  expect(status).toBe(202);
}

const list = async (id: string) => (await api.get<Snapshot[]>(`/dataset/${id}/snapshot`)).body;
const create = (id: string, body: unknown = {}) =>
  api.call<Snapshot & { detail: string }>('POST', `/dataset/${id}/snapshot`, json(body));
const restore = (id: string, snapshot: string) => api.post(`/dataset/${id}/snapshot/${snapshot}/restore`);
const statusOf = async (id: string) => (await api.get<Dataset>(`/dataset/${id}`)).body.status_new;
const currentOf = async (id: string) => (await list(id)).filter(({ is_current }) => is_current);

async function itemsOf(id: string): Promise<string[]> {
  const { body } = await api.get<{ items: Preview[] }>(`/explore/${id}/items?page_size=500`);
  return body.items.map(({ media_id }) => media_id).toSorted();
}

async function tasksOf(id: string, type: string): Promise<Task[]> {
  return (await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=${type}`)).body.tasks;
}

async function restored(id: string, snapshot: string): Promise<void> {
  const { status, text } = await restore(id, snapshot);
  expect([status, text]).toEqual([202, '']);
  await api.waitFor(id, 'READY');
}

/** Starts two blocked short tasks, which fill their lane, so that the next short task waits. */
async function fillLane(): Promise<() => Promise<void>> {
  const busy = [await newDataset('busy 1'), await newDataset('busy 2')];
  for (const id of busy) {
    await addFolder(id, [90, 91]);
    await api.waitFor(id, 'PARTIAL INDEX');
  }
  const go = Promise.withResolvers<void>();
  const { buildIndex } = compute;
  compute.buildIndex = async (request, options) => {
    if (request.mode === 'recluster') await go.promise;
    return buildIndex(request, options);
  };
  for (const id of busy) expect((await api.post(`/dataset/${id}/reindex`)).status).toBe(202);
  return async () => {
    compute.buildIndex = buildIndex;
    go.resolve();
    for (const id of busy) {
      await api.waitFor(id, 'READY');
      await api.call('DELETE', `/dataset/${id}`);
    }
  };
}

describe('a snapshot', () => {
  it('is created automatically when a dataset is first indexed', async () => {
    const id = await newDataset('first');
    const [snapshot, ...others] = await list(id);
    expect(others).toEqual([]);
    expect(snapshot).toEqual({
      snapshot_id: expect.any(String),
      snapshot_name: `first_snapshot_${snapshot?.snapshot_id}`,
      source_dataset_name: 'first',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      created_by: 'owner@localhost',
      n_images: 4,
      n_videos: 0,
      n_objects: 0,
      description: '',
      reason: 'creation',
      training_model_id: null,
      training_model_name: null,
      is_current: true,
      is_restoring: false,
    });
  });

  it('of the present state is created first by a restore with a name for it, and brings that state back', async () => {
    const id = await newDataset('undone');
    const [first] = await list(id);
    const [gone] = await itemsOf(id);
    const mediaSelection = [{ type: 'media', payload: { media_ids: [gone] } }];
    await api.call('POST', `/dataset/${id}/exclude`, json({ media_selection: mediaSelection }));
    const keepAs = json({ keep_as: 'Before' });
    const { status } = await api.call('POST', `/dataset/${id}/snapshot/current/restore`, keepAs);
    expect(status).toBe(202);
    await api.waitFor(id, 'READY');
    expect(await itemsOf(id)).toHaveLength(4);
    const [kept, current, ...others] = await list(id);
    expect(others).toEqual([]);
    expect([kept?.snapshot_name, kept?.is_current, current?.snapshot_id]).toEqual([
      'Before',
      false,
      first?.snapshot_id,
    ]);
    await restored(id, kept?.snapshot_id ?? '');
    expect(await itemsOf(id)).toHaveLength(3);
  });

  it('is created on request, becomes the current one, and can be renamed and described', async () => {
    const id = await newDataset('made');
    const named = await create(id, { name: ' before the edits ', description: 'as it came' });
    expect(named).toMatchObject({
      status: 200,
      body: { snapshot_name: 'before the edits', description: 'as it came', reason: 'manual', is_current: true },
    });
    const unnamed = (await create(id)).body;
    expect(unnamed.snapshot_name).toBe(`made_snapshot_${unnamed.snapshot_id}`);
    expect((await list(id)).map(({ snapshot_id, is_current }) => [snapshot_id, is_current])).toEqual([
      [unnamed.snapshot_id, true],
      [named.body.snapshot_id, false],
      [expect.any(String), false],
    ]);
    const patch = (snapshotId: string, body: unknown) =>
      api.call<Snapshot>('PATCH', `/dataset/${id}/snapshot/${snapshotId}`, json(body));
    const renamed = await patch(unnamed.snapshot_id, { name: 'renamed' });
    expect(renamed).toMatchObject({ status: 200, body: { snapshot_name: 'renamed', description: '' } });
    const described = await patch(unnamed.snapshot_id, { description: 'said of it' });
    expect(described.body).toEqual({ ...renamed.body, description: 'said of it' });
    expect((await list(id))[0]).toEqual(described.body);
    expect((await patch(unnamed.snapshot_id, {})).status).toBe(400);
    expect((await patch(unnamed.snapshot_id, { name: 'x'.repeat(256) })).status).toBe(422);
    expect((await patch(unnamed.snapshot_id, { description: 'x'.repeat(2001) })).status).toBe(422);
    expect((await patch(UNKNOWN, { name: 'of nothing' })).status).toBe(404);
    expect((await create(UNKNOWN)).status).toBe(404);
    expect((await api.get(`/dataset/${UNKNOWN}/snapshot`)).status).toBe(404);
  });

  it('takes no further space while nothing changes', async () => {
    const id = await newDataset('unchanged');
    await api.atRest();
    await create(id);
    const blocks = () => readdirSync(join(test.data, 'datasets', id, 'blocks'), { recursive: true }).toSorted();
    const before = blocks();
    await create(id);
    expect(blocks()).toEqual(before);
  });

  it('is refused in every status except READY', async () => {
    const { body } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=draft');
    expect((await create(body.dataset_id)).status).toBe(409);
    const id = await newDataset('partial');
    await addFolder(id, [20]);
    await api.waitFor(id, 'PARTIAL INDEX');
    expect(await create(id)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('PARTIAL INDEX') } });
  });

  it('can be created twice at the same time', async () => {
    const id = await newDataset('twice');
    const made = await Promise.all([create(id, { name: 'a' }), create(id, { name: 'b' })]);
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    expect((await list(id)).map(({ snapshot_name }) => snapshot_name)).toEqual(
      expect.arrayContaining(['a', 'b', expect.stringContaining('twice_snapshot_')]),
    );
    expect(await currentOf(id)).toHaveLength(1);
  });
});

describe('a restore', () => {
  it('restores items, tags, labels and exclusions, under the same ids', async () => {
    const id = await newDataset('restored');
    const before = await itemsOf(id);
    const selection = (...ids: string[]) => [{ type: 'media', payload: { media_ids: ids } }];
    const [a = '', b = '', c = ''] = before;
    const { body: kept } = await api.call<Tag>('POST', `/dataset/${id}/tags`, json({ name: 'kept' }));
    await api.call('POST', `/dataset/${id}/edit_tags`, json({ media_selection: selection(a), add: [kept.id] }));
    await api.call('POST', `/dataset/${id}/edit_labels`, json({ media_selection: selection(b), add: ['wolf'] }));
    await api.call('POST', `/dataset/${id}/exclude`, json({ media_selection: selection(c) }));
    const snapshot = (await create(id)).body;
    expect(snapshot.n_images).toBe(3);

    const taken = json({ media_selection: selection(a), remove: [kept.id] });
    await api.call('POST', `/dataset/${id}/edit_tags`, taken);
    await api.call('POST', `/dataset/${id}/edit_labels`, json({ media_selection: selection(b), remove: ['wolf'] }));
    await api.call('POST', `/dataset/${id}/include`, json({ media_selection: selection(c) }));
    await api.call('POST', `/dataset/${id}/exclude`, json({ media_selection: selection(a) }));
    await addFolder(id, [30, 31], { auto_reindex: 'true' });
    await api.waitFor(id, 'READY');
    expect(await itemsOf(id)).toHaveLength(5);

    await restored(id, snapshot.snapshot_id);
    expect(await itemsOf(id)).toEqual([a, b, ...before.slice(3)].toSorted());
    expect((await api.get<Dataset>(`/dataset/${id}`)).body).toMatchObject({ n_images: 3, status: 'READY' });
    const found = async (vql: unknown) =>
      (await api.get<{ items: Preview[] }>(`/explore/${id}/items?vql=${encodeURIComponent(JSON.stringify([vql]))}`))
        .body.items;
    expect(await found({ tags: { op: 'is', value: kept.id } })).toMatchObject([{ media_id: a }]);
    expect(await found({ labels: { op: 'is', value: 'wolf' } })).toMatchObject([{ media_id: b }]);
    expect(await found({ excluded: { value: true } })).toMatchObject([{ media_id: c }]);
    expect((await api.get(`/explore/${id}?threshold=0`)).status).toBe(200);
    const [task] = await tasksOf(id, 'SNAPSHOT_RESTORE');
    expect(task).toMatchObject({ status: 'COMPLETED', dataset_name: 'restored', progress_percentage: 100 });
    await api.atRest();
    expect((await api.get<{ n_placed: number }>(`/explore/${id}/map`)).status).toBe(200);
    // The dataset can be extended from the restored state.
    await addFolder(id, [32], { auto_reindex: 'true' });
    await api.waitFor(id, 'READY');
    expect(await itemsOf(id)).toHaveLength(4);
  });

  it('shows the previous state until it is finished, and is refused while another task runs', async () => {
    const id = await newDataset('in the middle');
    const [first] = await list(id);
    const snapshotId = first?.snapshot_id ?? '';
    await addFolder(id, [40]);
    await api.waitFor(id, 'PARTIAL INDEX');
    const before = await itemsOf(id);
    expect(before).toHaveLength(5);
    const letGo = await fillLane();

    expect((await restore(id, snapshotId)).status).toBe(202);
    expect((await api.get<Dataset>(`/dataset/${id}`)).body).toMatchObject({
      status_new: 'READ ONLY',
      status: 'UPDATING',
    });
    expect(await list(id)).toMatchObject([{ is_restoring: true }]);
    expect(await tasksOf(id, 'SNAPSHOT_RESTORE')).toMatchObject([{ status: 'INITIALIZING', end_time: null }]);
    expect(await itemsOf(id)).toEqual(before);
    for (const [path, init] of [
      [`snapshot/${snapshotId}/restore`, {}],
      [`snapshot/${snapshotId}/clone`, {}],
      ['snapshot', json({})],
      ['reindex', {}],
      ['lay_out_map', {}],
      ['find_duplicates', {}],
      ['tags', json({ name: 'lost' })],
    ] as const) {
      expect(await api.call('POST', `/dataset/${id}/${path}`, init), path).toMatchObject({
        status: 409,
        body: { detail: expect.any(String) },
      });
    }
    expect((await api.post(`/dataset/${id}/add_media`, { s3_uri: '/' })).status).toBe(409);
    await letGo();
    await api.waitFor(id, 'READY');
    expect(await list(id)).toMatchObject([{ is_restoring: false, is_current: true }]);
    expect(await itemsOf(id)).toHaveLength(4);
  });

  it('lets the previous state be exported until it is finished', async () => {
    const id = await newDataset('exported meanwhile');
    const [first] = await list(id);
    await addFolder(id, [41], { auto_reindex: 'true' });
    await api.waitFor(id, 'READY');
    await api.atRest();
    const letGo = await fillLane();
    expect((await restore(id, first?.snapshot_id ?? '')).status).toBe(202);
    const bare = await api.get<{ media_items: unknown[] }>(`/dataset/${id}/export?export_format=json`);
    expect(bare.body.media_items).toHaveLength(5);
    const requested = await api.get<ExportTask>(
      `/dataset/${id}/export_context_async?file_name=a.zip&export_format=json`,
    );
    expect(requested.status, requested.text).toBe(200);
    await until(
      () => api.get<ExportTask>(`/dataset/${id}/export_status?export_task_id=${requested.body.id}`),
      ({ body }) => body.status === 'COMPLETED' && body.entities_count === 5,
    );
    await letGo();
    await api.waitFor(id, 'READY');
    expect(await itemsOf(id)).toHaveLength(4);
  });

  it('keeps the previous state for exports, comparisons and reads that started before', async () => {
    const id = await newDataset('read meanwhile');
    const [first] = await list(id);
    await addFolder(id, [42], { auto_reindex: 'true' });
    await api.waitFor(id, 'READY');
    const second = (await create(id)).body;
    await api.atRest();
    for (const snapshot of [first, second, first]) {
      expect((await restore(id, snapshot?.snapshot_id ?? '')).status).toBe(202);
      // More exports than the lane runs at once: most of them run after the switch.
      const requested = await Promise.all(
        Array.from({ length: 5 }, () =>
          api.get<ExportTask>(`/dataset/${id}/export_context_async?file_name=a.zip&export_format=json`),
        ),
      );
      expect(requested.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      await until(
        async () => {
          const answers = await Promise.all([
            api.get(`/dataset/${id}/snapshot/${second.snapshot_id}/changes`),
            api.get(`/dataset/${id}/export?export_format=json`),
            api.get(`/dataset/${id}/export_media_id`),
          ]);
          for (const { status, text } of answers) expect([200, 409], text).toContain(status);
          return statusOf(id);
        },
        (status) => status === 'READY',
      );
      for (const { body } of requested) {
        const ended = await until(
          () => api.get<ExportTask>(`/dataset/${id}/export_status?export_task_id=${body.id}`),
          (answer) => answer.body.status !== 'INIT' && answer.body.status !== 'IN_PROGRESS',
        );
        // On a busy machine the restore may finish before the request is read.
        expect(ended.body).toMatchObject({ status: 'COMPLETED', entities_count: body.entities_count });
        expect([4, 5]).toContain(body.entities_count);
      }
      await api.atRest();
    }
    const generations = () => readdirSync(join(test.data, 'datasets', id)).filter((name) => /^\d+$/.test(name));
    await expect.poll(generations).toHaveLength(1);
  });

  it('of `current` restores the snapshot that was created or restored last', async () => {
    const id = await newDataset('current');
    const [first] = await list(id);
    await addFolder(id, [50], { auto_reindex: 'true' });
    await api.waitFor(id, 'READY');
    const second = (await create(id)).body;
    await addFolder(id, [51], { auto_reindex: 'true' });
    await api.waitFor(id, 'READY');
    await restored(id, 'current');
    expect(await itemsOf(id)).toHaveLength(5);
    expect(await currentOf(id)).toMatchObject([{ snapshot_id: second.snapshot_id }]);
    await restored(id, first?.snapshot_id ?? '');
    expect(await itemsOf(id)).toHaveLength(4);
    expect(await currentOf(id)).toMatchObject([{ snapshot_id: first?.snapshot_id }]);
    await restored(id, second.snapshot_id);
    expect(await itemsOf(id)).toHaveLength(5);
    expect((await restore(id, UNKNOWN)).status).toBe(404);
    expect((await restore(id, 'latest')).status).toBe(422);
  });

  it('imports again the changes of a watched folder since then', async () => {
    const id = await newDataset('watched');
    const [first] = await list(id);
    const folder = await temporaryFolder(atEnd);
    await writeImages(folder, [60, 61]);
    await api.call('POST', `/dataset/${id}/watched_folders`, json({ path: folder }));
    const nImages = async () => (await api.get<Dataset>(`/dataset/${id}`)).body.n_images;
    await until(nImages, (n) => n === 6);
    await api.waitFor(id, 'PARTIAL INDEX');
    expect((await restore(id, first?.snapshot_id ?? '')).status).toBe(202);
    await until(nImages, (n) => n === 4);
    await until(nImages, (n) => n === 6);
    expect(await itemsOf(id)).toHaveLength(6);
  });
});

describe('a clone', () => {
  it('is independent of its source', async () => {
    const id = await newDataset('source');
    const items = await itemsOf(id);
    const [first] = await list(id);
    await addFolder(id, [70], { auto_reindex: 'true' });
    await api.waitFor(id, 'READY');
    const answer = await api.post(`/dataset/${id}/snapshot/${first?.snapshot_id}/clone`);
    expect([answer.status, answer.text]).toEqual([202, '']);
    const datasets = (await api.get<Dataset[]>('/datasets')).body;
    const clone = datasets.find(({ display_name }) => display_name === 'source (cloned)');
    expect(clone).toMatchObject({ source_dataset_id: id, source_type: 'VL' });
    const cloneId = clone?.id ?? '';
    expect(await api.waitFor(cloneId, 'READY')).toMatchObject({ n_images: 4 });
    expect(await tasksOf(cloneId, 'SNAPSHOT_CLONE')).toMatchObject([{ status: 'COMPLETED' }]);
    expect(await itemsOf(cloneId)).toEqual(items);
    expect(await list(cloneId)).toMatchObject([{ reason: 'clone', is_current: true, n_images: 4 }]);
    expect(await itemsOf(id)).toHaveLength(5);

    await api.atRest();
    expect((await api.call('DELETE', `/dataset/${id}`)).status).toBe(200);
    await addFolder(cloneId, [71], { auto_reindex: 'true' });
    await api.waitFor(cloneId, 'READY');
    await restored(cloneId, 'current');
    expect(await itemsOf(cloneId)).toEqual(items);
  });

  it('prevents only the deletion of its source', async () => {
    const id = await newDataset('cloned from');
    const [first] = await list(id);
    const second = (await create(id)).body;
    const letGo = await fillLane();
    expect((await api.post(`/dataset/${id}/snapshot/${first?.snapshot_id}/clone`)).status).toBe(202);
    expect(await statusOf(id)).toBe('READY');
    expect((await api.call('DELETE', `/dataset/${id}`)).status).toBe(409);
    expect((await api.call('DELETE', `/dataset/${id}/snapshot/${first?.snapshot_id}`)).status).toBe(409);
    const third = (await create(id)).body;
    // Another snapshot is not needed by the clone.
    expect((await api.call('DELETE', `/dataset/${id}/snapshot/${second.snapshot_id}`)).status).toBe(200);
    expect((await restore(id, third.snapshot_id)).status).toBe(409);
    await addFolder(id, [72]);
    await api.waitFor(id, 'PARTIAL INDEX');
    expect((await api.post(`/dataset/${id}/snapshot/${UNKNOWN}/clone`)).status).toBe(404);
    await letGo();
    await api.atRest();
    expect((await api.call('DELETE', `/dataset/${id}/snapshot/${first?.snapshot_id}`)).status).toBe(200);
  });
});

it('with the files of its snapshot no longer needs the snapshot', async () => {
  const id = await newDataset('soon deleted');
  const [first] = await list(id);
  const items = await itemsOf(id);
  await create(id);
  expect((await api.post(`/dataset/${id}/snapshot/${first?.snapshot_id}/clone`)).status).toBe(202);
  const { body } = await api.get<Dataset[]>('/datasets');
  const cloneId = body.find(({ display_name }) => display_name === 'soon deleted (cloned)')?.id ?? '';
  await until(
    () => list(cloneId),
    ({ length }) => length === 1,
  );
  expect((await api.call('DELETE', `/dataset/${id}/snapshot/${first?.snapshot_id}`)).status).toBe(200);
  await api.waitFor(cloneId, 'READY');
  expect(await itemsOf(cloneId)).toEqual(items);
});

describe('a deletion', () => {
  it('removes a snapshot and frees its own blocks, except for the current one', async () => {
    const id = await newDataset('deleted from');
    const [first] = await list(id);
    await addFolder(id, [80, 81], { auto_reindex: 'true' });
    await api.waitFor(id, 'READY');
    const second = (await create(id)).body;
    const remove = (snapshotId: string) => api.call('DELETE', `/dataset/${id}/snapshot/${snapshotId}`);
    expect(await remove(second.snapshot_id)).toMatchObject({
      status: 409,
      body: { detail: 'The current snapshot cannot be deleted' },
    });
    const answer = await remove(first?.snapshot_id ?? '');
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await list(id)).toMatchObject([{ snapshot_id: second.snapshot_id }]);
    expect((await remove(first?.snapshot_id ?? '')).status).toBe(404);
    expect((await restore(id, first?.snapshot_id ?? '')).status).toBe(404);
    expect(readdirSync(join(test.data, 'datasets', id, 'snapshots'))).toEqual([second.snapshot_id]);
    await restored(id, 'current');
    expect(await itemsOf(id)).toHaveLength(6);
  });

  it('deletes originals that neither the dataset nor a snapshot needs', async () => {
    const id = await newDataset('originals');
    const [first] = await list(id);
    const batches = () => readdirSync(join(test.data, 'media'));
    const before = batches();
    const body = new FormData();
    body.append('files', new Blob([new Uint8Array(await image(85, 64, 64))]), 'uploaded.jpg');
    expect((await api.call('POST', `/dataset/${id}/add_media`, { body })).status).toBe(202);
    await api.waitFor(id, 'PARTIAL INDEX');
    expect((await api.post(`/dataset/${id}/reindex`)).status).toBe(202);
    await api.waitFor(id, 'READY');
    const withUpload = (await create(id)).body;
    await restored(id, first?.snapshot_id ?? '');
    await api.atRest();
    expect(batches()).toHaveLength(before.length + 1);
    expect((await api.call('DELETE', `/dataset/${id}/snapshot/${withUpload.snapshot_id}`)).status).toBe(200);
    expect(batches()).toEqual(before);
  });
});

describe('a comparison', () => {
  it('lists changes between two snapshots, or since one, by page', async () => {
    const id = await newDataset('changed');
    const [first] = await list(id);
    const [a = '', b = '', c = ''] = await itemsOf(id);
    const selection = (...ids: string[]) => [{ type: 'media', payload: { media_ids: ids } }];
    const { body: tag } = await api.call<Tag>('POST', `/dataset/${id}/tags`, json({ name: 'checked' }));
    await api.call('POST', `/dataset/${id}/edit_tags`, json({ media_selection: selection(a, b), add: [tag.id] }));
    await api.call('POST', `/dataset/${id}/edit_labels`, json({ media_selection: selection(b), add: ['wolf'] }));
    await api.call('POST', `/dataset/${id}/exclude`, json({ media_selection: selection(c) }));
    await addFolder(id, [88], { auto_reindex: 'true' });
    await api.waitFor(id, 'READY');
    const second = (await create(id)).body;
    const changes = async (snapshot = '', query = '') => {
      const path = `/dataset/${id}/snapshot/${snapshot}/changes?${query}`;
      return (await api.get<{ counts: object; changes: SnapshotChange[]; total: number }>(path)).body;
    };
    const none = { item_removed: 0, item_included: 0, label_removed: 0, tag_removed: 0 };
    const since = await changes(first?.snapshot_id);
    expect(since.counts).toEqual({ ...none, item_added: 1, item_excluded: 1, label_added: 1, tag_added: 2 });
    expect(since.total).toBe(5);
    expect(since.changes.map(({ kind }) => kind)).toEqual([
      'item_added',
      'item_excluded',
      'label_added',
      'tag_added',
      'tag_added',
    ]);
    expect(since.changes[1]).toMatchObject({ media_id: c, name: null });
    expect(since.changes[2]).toMatchObject({ media_id: b, name: 'wolf' });
    expect(await changes(first?.snapshot_id, `against=${second.snapshot_id}`)).toEqual(since);
    const page = await changes(first?.snapshot_id, 'kind=tag_added&page_size=1&page_number=1');
    expect(page).toMatchObject({ total: 2, changes: [{ kind: 'tag_added', name: 'checked' }] });
    expect((await changes(second.snapshot_id)).total).toBe(0);
    await api.call('POST', `/dataset/${id}/edit_tags`, json({ media_selection: selection(a), remove: [tag.id] }));
    expect((await changes(second.snapshot_id)).changes).toMatchObject([{ kind: 'tag_removed', media_id: a }]);
    const back = await changes(second.snapshot_id, `against=${first?.snapshot_id}`);
    expect(back.counts).toMatchObject({ item_removed: 1, item_included: 1, label_removed: 1, tag_removed: 2 });
    const of = (snapshot: string, query = '') => api.get(`/dataset/${id}/snapshot/${snapshot}/changes?${query}`);
    expect((await of(UNKNOWN)).status).toBe(404);
    expect((await of(second.snapshot_id, `against=${UNKNOWN}`)).status).toBe(404);
    expect((await of(second.snapshot_id, 'kind=nothing')).status).toBe(422);
  });
});

it('is unavailable when the setting disables it', async () => {
  const off = await createTestCore({ environment: { VITRINE_DATASET_SNAPSHOTS_ENABLED: 'false' } });
  const folder = await temporaryFolder();
  await writeImages(folder, [1]);
  const { dataset_id } = await off.call('create_dataset', { dataset_name: 'off', bucket_path: folder });
  const dataset = () => off.call('get_dataset', { dataset_id });
  await until(dataset, ({ status_new }) => status_new === 'READY');
  const disabled = { code: 'feature_disabled' };
  await expect(off.call('list_snapshots', { dataset_id })).rejects.toMatchObject(disabled);
  await expect(off.call('create_snapshot', { dataset_id })).rejects.toMatchObject(disabled);
  await expect(off.call('restore_snapshot', { dataset_id, snapshot_id: 'current' })).rejects.toMatchObject(disabled);
});
