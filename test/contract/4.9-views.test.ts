import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import type { Notification } from '../../src-main/contract/schemas/notification.ts';
import type { Trend, View } from '../../src-main/contract/schemas/view.ts';
import { type Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { writeLabelledImages } from '../support/labelled-images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

let data: string;
let api: Api;
let close: () => Promise<void>;
let id: string;

const json = { 'content-type': 'application/json' };

beforeAll(async () => {
  data = await temporaryFolder(atEnd);
  ({ api, close } = await openData(data, { finished: atEnd }));
  id = await readyDataset('Watched', { 1: 'dog', 2: 'cat' });
});

async function folderOf(labels: Readonly<Record<number, string>>): Promise<string> {
  const folder = await temporaryFolder(atEnd);
  await writeLabelledImages(folder, labels);
  return folder;
}

async function readyDataset(name: string, labels: Readonly<Record<number, string>>): Promise<string> {
  const datasetId = await api.createFromFolder(name, await folderOf(labels), { encoder: 'none' });
  await api.waitFor(datasetId, 'READY');
  return datasetId;
}

async function addMedia(datasetId: string, labels: Readonly<Record<number, string>>, reindex = true): Promise<void> {
  const fields = { s3_uri: await folderOf(labels), auto_reindex: String(reindex) };
  expect((await api.post(`/dataset/${datasetId}/add_media`, fields)).status).toBe(202);
  await api.waitFor(datasetId, reindex ? 'READY' : 'PARTIAL INDEX');
}

async function createView(datasetId: string, name: string, query: Record<string, string> = {}) {
  const answer = await api.post<View & { detail: string }>(
    `/dataset/${datasetId}/views?${new URLSearchParams(query)}`,
    {
      name,
    },
  );
  return { status: answer.status, view: answer.body };
}

const vql = (...filters: object[]) => ({ vql: JSON.stringify(filters) });
const labelled = (label: string) => ({ labels: { op: 'one_of', value: [label] } });

const trendOf = async (view: View) => (await api.get<Trend>(`/dataset/${view.dataset_id}/views/${view.id}/trend`)).body;
const find = async (view: View) => {
  const { body } = await api.get<{ views: View[] }>(`/dataset/${view.dataset_id}/views`);
  return body.views.find((one) => one.id === view.id) ?? view;
};
const set = (view: View, what: 'alerting' | 'monitoring', enabled: unknown) =>
  api.call('POST', `/dataset/${view.dataset_id}/views/${view.id}/${what}`, {
    body: JSON.stringify({ request: { enabled } }),
    headers: json,
  });

describe('a view', () => {
  it('is stored with its query, without results', async () => {
    const filters = [labelled('dog'), { id: 7, issues: { op: 'issue', value: 'blur', mode: 'in' } }];
    const { status, view } = await createView(id, '  Dogs  ', {
      entity_type: 'IMAGES',
      threshold: '0.5',
      caption: 'a dog',
      vql: JSON.stringify(filters),
    });
    expect(status).toBe(200);
    expect(view).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      dataset_id: id,
      name: 'Dogs',
      created_at: ISO,
      created_by: { user_id: expect.any(String), email: 'owner@localhost', name: 'Local owner' },
      filters: {
        entity_type: 'IMAGES',
        threshold: '0.5',
        caption: 'a dog',
        vql: [labelled('dog'), { issues: { op: 'issue', value: 'blur', mode: 'in' } }],
      },
      stats: { n_images: -1, n_objects: -1, n_video_frames: -1 },
      monitoring_enabled: true,
      monitoring_started_at: ISO,
      alerting_enabled: true,
      total_results: 0,
      last_results: null,
      problem: null,
    });
    expect(await find(view)).toEqual(view);
    expect(await trendOf(view)).toEqual({ points: [], total_results: 0, last_results: null });
  });

  it('whose query is no longer valid reports the reason, and does not affect other views', async () => {
    const own = await readyDataset('Lost field', { 1: 'dog' });
    const declared = await api.call('POST', `/datasets/${own}/custom_metadata/tasks`, {
      body: JSON.stringify({ field_name: 'weight', field_type: 'float' }),
      headers: json,
    });
    expect(declared.status).toBe(200);
    const { view: heavy } = await createView(own, 'Heavy', vql({ metadata: { field: 'weight', op: 'gt', value: 5 } }));
    const { view: all } = await createView(own, 'All');
    // The restored state has no such field.
    expect((await api.post(`/dataset/${own}/snapshot/current/restore`)).status).toBe(202);
    await api.waitFor(own, 'READY');
    await addMedia(own, { 2: 'dog' });
    expect(await find(heavy)).toMatchObject({ problem: expect.stringContaining('weight'), total_results: 0 });
    expect(await find(all)).toMatchObject({ problem: null, total_results: 1 });
    expect((await trendOf(heavy)).points).toEqual([]);
  });

  it('needs only a name, in either form encoding', async () => {
    const answer = await api.call<View>('POST', `/dataset/${id}/views?entity_type=&threshold=&caption=&vql=`, {
      body: new URLSearchParams({ name: 'All & everything' }),
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      name: 'All & everything',
      filters: { entity_type: 'IMAGES', threshold: '0', caption: null, vql: [] },
    });
  });

  it.each([
    ['no name', '', {}],
    ['an empty name', '   ', {}],
    ['a huge name', 'x'.repeat(256), {}],
    ['a name with control characters', 'a\u0007b', {}],
    ['VQL that is none', 'a', { vql: '[{"labels":' }],
    ['an unknown filter', 'a', { vql: '[{"colour":{"op":"is","value":"red"}}]' }],
    ['an operator that does not fit', 'a', { vql: '[{"labels":{"op":"near","value":["dog"]}}]' }],
    ['an unknown type', 'a', { entity_type: 'SOUNDS' }],
    ['a threshold beyond 1', 'a', { threshold: '2' }],
  ])('is refused with %s', async (_, name, query) => {
    const { status, view } = await createView(id, name, query);
    expect(status).toBe(422);
    expect(view.detail).toEqual(expect.any(String));
  });

  it('is refused when Explore cannot answer its query', async () => {
    const like = (op: string) => vql({ similarity: { op, value: UNKNOWN, threshold: 0.2 } });
    expect((await createView(id, 'Like an upload', like('upload'))).status).toBe(404);
    expect((await createView(id, 'Like an item', like('media'))).status).toBe(404);
    const objects = { entity_type: 'OBJECTS', ...vql({ text: { op: 'semantic', value: 'a dog' } }) };
    expect((await createView(id, 'Objects by meaning', objects)).status).toBe(400);
  });

  it('has a unique name within its dataset', async () => {
    const other = await readyDataset('Another', { 8: 'dog' });
    expect((await createView(id, 'Née')).status).toBe(200);
    expect((await createView(id, 'Née'.normalize('NFD'))).status).toBe(409);
    expect((await createView(other, 'Née')).status).toBe(200);
    const racing = await Promise.all([1, 2, 3, 4].map(() => createView(id, 'Racing')));
    expect(racing.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });

  it('needs an existing dataset', async () => {
    expect((await createView(UNKNOWN, 'Nowhere')).status).toBe(404);
    const { view } = await createView(id, 'Of one dataset');
    const elsewhere = { ...view, dataset_id: await readyDataset('Third', { 9: 'dog' }) };
    for (const path of ['trend', 'alerting']) {
      const method = path === 'trend' ? 'GET' : 'POST';
      const init = path === 'trend' ? {} : { body: '{"request":{"enabled":true}}', headers: json };
      for (const other of [elsewhere, { ...view, id: UNKNOWN }]) {
        expect((await api.call(method, `/dataset/${other.dataset_id}/views/${other.id}/${path}`, init)).status).toBe(
          404,
        );
      }
    }
  });

  it('is deleted with its trend', async () => {
    const { view } = await createView(id, 'Short-lived');
    const answer = await api.call('DELETE', `/dataset/${id}/views/${view.id}`, { headers: json });
    expect([answer.status, answer.text]).toEqual([200, 'null']);
    expect((await api.call('DELETE', `/dataset/${id}/views/${view.id}`)).status).toBe(404);
    expect((await api.get(`/dataset/${id}/views/${view.id}/trend`)).status).toBe(404);
    expect((await createView(id, 'Short-lived')).status).toBe(200);
  });
});

describe('each later batch', () => {
  it('is counted once for each view, and new results are reported', async () => {
    const watched = await readyDataset('Batches', { 10: 'dog', 11: 'dog' });
    const all = (await createView(watched, 'All')).view;
    const dogs = (await createView(watched, 'Dogs', vql(labelled('dog')))).view;
    const heads = (await createView(watched, 'Heads', { entity_type: 'OBJECTS', ...vql(labelled('dog head')) })).view;
    const words = (await createView(watched, 'Words', vql({ text: { op: 'fts', value: 'cats sea' } }))).view;
    const captions = (await createView(watched, 'Captions', { caption: 'cat' })).view;
    const files = (await createView(watched, 'Files', vql({ files: { op: 'ends_with', value: '13.jpg' } }))).view;
    const videos = (await createView(watched, 'Videos', { entity_type: 'VIDEOS' })).view;
    const views = [all, dogs, heads, words, captions, files, videos];

    await addMedia(watched, { 12: 'dog', 13: 'cat', 14: 'cat' });
    const late = (await createView(watched, 'Late', vql(labelled('cat')))).view;
    await addMedia(watched, { 15: 'dog' }, false);
    await addMedia(watched, { 16: 'horse', 17: 'dog' }, false);

    const counts = await Promise.all(views.map(async (view) => (await trendOf(view)).points.map(({ count }) => count)));
    expect(Object.fromEntries(views.map(({ name }, at) => [name, counts[at]]))).toEqual({
      All: [3, 1, 2],
      Dogs: [1, 1, 1],
      Heads: [1, 1, 1],
      Words: [2, 0, 0],
      Captions: [2, 0, 0],
      Files: [1, 0, 0],
      Videos: [0, 0, 0],
    });
    const { points, total_results, last_results } = await trendOf(all);
    expect(points.map(({ cumulative }) => cumulative)).toEqual([3, 4, 6]);
    expect(new Set(points.map(({ batch_id }) => batch_id)).size).toBe(3);
    expect(last_results).toBe(points[2]?.timestamp);
    expect(total_results).toBe(6);
    expect(await find(all)).toMatchObject({
      stats: { n_images: 6, n_objects: 0, n_video_frames: 0 },
      total_results: 6,
      last_results,
    });
    expect((await find(heads)).stats).toEqual({ n_images: 0, n_objects: 3, n_video_frames: 0 });
    expect((await find(words)).last_results).toBe((await trendOf(words)).points[0]?.timestamp);
    expect(await find(videos)).toMatchObject({ stats: { n_images: 0 }, total_results: 0, last_results: null });
    expect((await trendOf(late)).points.map(({ count }) => count)).toEqual([0, 0]);

    const { body } = await api.get<{ notifications: Notification[]; total: number }>(
      `/notifications?dataset_id=${watched}&limit=100`,
    );
    expect(body.total).toBe(12);
    const ofDogs = body.notifications.filter(({ entity_id }) => entity_id === dogs.id);
    const trend = await trendOf(dogs);
    expect(ofDogs.toReversed()).toEqual(
      trend.points.map(({ batch_id }) => ({
        id: expect.any(String),
        user_id: dogs.created_by.user_id,
        entity_type: 'saved_view',
        entity_id: dogs.id,
        title: '',
        message: '1 new result',
        metadata: {
          view_name: 'Dogs',
          dataset_name: 'Batches',
          result_count: 1,
          batch_id,
          is_alert: true,
          shared_by: null,
          sentences: null,
          previews: [{ media_id: expect.any(String), media_thumb_uri: expect.stringContaining(api.baseUrl) }],
        },
        dataset_id: watched,
        created_at: ISO,
        read_at: null,
      })),
    );
    const { body: shown } = await api.get<ItemPage>(
      `/explore/${watched}/items?${new URLSearchParams(vql(labelled('dog')))}`,
    );
    for (const { metadata } of ofDogs) {
      const [preview] = metadata.previews;
      expect(shown.items.map(({ media_id }) => media_id)).toContain(preview?.media_id);
      expect((await fetch(preview?.media_thumb_uri ?? '')).headers.get('content-type')).toBe('image/webp');
    }
    const ofHeads = body.notifications.find(({ entity_id }) => entity_id === heads.id);
    expect((await fetch(ofHeads?.metadata.previews[0]?.media_thumb_uri ?? '')).status).toBe(200);
  });

  it('gives no alert when alerts are off, and no data point while the view is paused', async () => {
    const watched = await readyDataset('Quiet', { 20: 'dog' });
    const silent = (await createView(watched, 'Silent')).view;
    const paused = (await createView(watched, 'Paused')).view;
    expect((await set(silent, 'alerting', 'False')).body).toEqual({ alerting_enabled: false });
    expect((await set(paused, 'monitoring', false)).body).toEqual({ monitoring_enabled: false });
    expect((await set(paused, 'alerting', true)).status).toBe(400);
    expect((await api.get(`/dataset/${watched}/views/${paused.id}/trend`)).status).toBe(400);
    expect((await set(silent, 'alerting', 'perhaps')).status).toBe(422);
    expect(
      (
        await api.call('POST', `/dataset/${watched}/views/${silent.id}/alerting`, {
          body: '{"enabled":true}',
          headers: json,
        })
      ).status,
    ).toBe(422);

    await addMedia(watched, { 21: 'dog' });
    expect((await trendOf(silent)).points).toHaveLength(1);
    expect((await find(silent)).alerting_enabled).toBe(false);
    expect((await api.get(`/notifications/unread-count?dataset_id=${watched}`)).body).toEqual({ count: 0 });

    await set(paused, 'monitoring', true);
    expect((await trendOf(paused)).points).toEqual([]);
    expect((await set(silent, 'alerting', true)).body).toEqual({ alerting_enabled: true });
    await addMedia(watched, { 22: 'dog' });
    expect((await trendOf(paused)).points.map(({ count }) => count)).toEqual([1]);
    expect((await api.get(`/notifications/unread-count?dataset_id=${watched}`)).body).toEqual({ count: 2 });
  });

  it('is counted again for a view whose query has changed', async () => {
    const watched = await readyDataset('Changed', { 50: 'dog' });
    const { view } = await createView(watched, 'Dogs', vql(labelled('dog')));
    await addMedia(watched, { 51: 'dog', 52: 'dog' });
    expect((await find(view)).total_results).toBe(2);
    const ask = (request: object, of = view.id) =>
      api.call<View>('POST', `/dataset/${watched}/views/${of}/query`, {
        body: JSON.stringify({ request }),
        headers: json,
      });
    const { status, body } = await ask({ threshold: 0.25, ...vql(labelled('cat')) });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: view.id,
      name: 'Dogs',
      filters: { entity_type: 'IMAGES', threshold: '0.25', caption: null, vql: [labelled('cat')] },
      stats: { n_images: -1 },
      total_results: 0,
      last_results: null,
    });
    expect((await trendOf(view)).points).toEqual([]);
    await addMedia(watched, { 53: 'dog', 54: 'cat' });
    expect((await trendOf(view)).points.map(({ count, cumulative }) => [count, cumulative])).toEqual([[1, 1]]);
    expect((await ask({ vql: '[{"labels":7}]' })).status).toBe(422);
    expect((await ask({}, UNKNOWN)).status).toBe(404);
    expect((await find(view)).filters.vql).toEqual([labelled('cat')]);
  });

  it('is compared with uploaded images, also after a restart', async () => {
    const watched = await readyDataset('Compared', { 30: 'dog', 31: 'dog' });
    const folder = await temporaryFolder(atEnd);
    const [path = ''] = await writeImages(folder, [33], 'query');
    const body = new FormData();
    body.append('file', new Blob([await readFile(path)]), 'query.jpg');
    const upload = await api.call<{ anchor_media_id: string }>(
      'POST',
      `/dataset/${watched}/search-image-similarity?entity_type=IMAGES`,
      { body },
    );
    const like = (threshold: number) =>
      vql({ similarity: { op: 'upload', value: upload.body.anchor_media_id, threshold } });
    const same = (await createView(watched, 'The same', like(0.001))).view;
    const loosely = (await createView(watched, 'More or less', like(1))).view;
    await close();
    ({ api, close } = await openData(data, { finished: atEnd }));
    await addMedia(watched, { 32: 'cat', 33: 'cat' });
    expect((await trendOf(same)).points.map(({ count }) => count)).toEqual([1]);
    expect((await trendOf(loosely)).points.map(({ count }) => count)).toEqual([2]);
    const query = new URLSearchParams(like(0.001));
    const explored = await api.get<{ metadata: { total_items: number } }>(`/explore/${watched}?${query}`);
    expect(explored.body.metadata.total_items).toBe(1);
  });

  it('is counted the same if it comes from a watched folder', async () => {
    const watched = await readyDataset('Folder', { 40: 'dog' });
    const folder = await folderOf({ 41: 'dog', 42: 'cat' });
    const dogs = (await createView(watched, 'Dogs', vql(labelled('dog')))).view;
    const added = await api.call('POST', `/dataset/${watched}/watched_folders`, {
      body: JSON.stringify({ path: folder }),
      headers: json,
    });
    expect(added.status).toBeLessThan(300);
    await until(
      () => trendOf(dogs),
      ({ points }) => points.length > 0,
    );
    await writeFile(
      join(folder, 'image-00043.jpg'),
      await readFile(join(await folderOf({ 43: 'x' }), 'image-00043.jpg')),
    );
    const { points } = await until(
      () => trendOf(dogs),
      (trend) => trend.points.length > 1,
    );
    expect(points.map(({ count }) => count)).toEqual([1, 0]);
  });
});

it('a view and its notifications are deleted with its dataset', async () => {
  const watched = await readyDataset('Doomed', { 50: 'dog' });
  await createView(watched, 'All');
  await addMedia(watched, { 51: 'dog' });
  expect((await api.get(`/notifications/unread-count?dataset_id=${watched}`)).body).toEqual({ count: 1 });
  await api.call('DELETE', `/dataset/${watched}`);
  expect((await api.get(`/dataset/${watched}/views`)).status).toBe(404);
  expect((await api.get(`/notifications?dataset_id=${watched}`)).body).toMatchObject({ total: 0 });
});
