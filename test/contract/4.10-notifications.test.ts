import { readdir } from 'node:fs/promises';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Notification } from '../../src-main/contract/schemas/notification.ts';
import type { View } from '../../src-main/contract/schemas/view.ts';
import { type Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { openEventSource } from '../support/event-source.ts';
import { writeImages } from '../support/images.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi } from '../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
/** Time limit in milliseconds: several cycles of the interface. The bench `views` measures the delay on a quiet machine. */
const LATE_MS = 15_000;
const LISTENERS = 250;

interface Page {
  notifications: Notification[];
  total: number;
  has_more: boolean;
}

let api: Api;
let one: string;
let other: string;
let seed = 0;

beforeAll(async () => {
  ({ api } = await startTestApi({ finished: atEnd }));
  [one, other] = await Promise.all([watchedDataset('One', 2), watchedDataset('Other', 1)]);
});

beforeEach(async () => {
  await api.post('/notifications/read-all');
});

async function newFolder(): Promise<string> {
  seed += 1;
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [seed]);
  return folder;
}

/** Creates a dataset with views that match everything. */
async function watchedDataset(name: string, nViews: number): Promise<string> {
  const id = await api.createFromFolder(name, await newFolder(), { encoder: 'none' });
  await api.waitFor(id, 'READY');
  for (let view = 1; view <= nViews; view += 1) {
    expect((await api.post<View>(`/dataset/${id}/views`, { name: `View ${view}` })).status).toBe(200);
  }
  return id;
}

/** Adds a batch, which makes each view of the dataset alert once. */
async function alertIn(id: string): Promise<void> {
  expect((await api.post(`/dataset/${id}/add_media`, { s3_uri: await newFolder() })).status).toBe(202);
  await api.waitFor(id, 'PARTIAL INDEX');
}

const list = async (query: Record<string, string> = {}) =>
  (await api.get<Page>(`/notifications?${new URLSearchParams(query)}`)).body;
const countUnread = async (query = '') =>
  (await api.get<{ count: number }>(`/notifications/unread-count${query}`)).body.count;

async function listen(query = '', headers: Record<string, string> = {}) {
  const source = await openEventSource(`${api.baseUrl}/api/v1/notifications/stream${query}`, headers);
  onTestFinished(() => source.close());
  return source;
}
const received = (source: Awaited<ReturnType<typeof listen>>) =>
  source.named('notification').map(({ data }) => data as Notification);

describe('notifications', () => {
  it('are listed by page, newest first', async () => {
    await alertIn(one);
    await alertIn(other);
    const { notifications, total } = await list({ unread_only: 'True' });
    expect(notifications.map(({ dataset_id }) => dataset_id)).toEqual([other, one, one]);
    expect(total).toBe(3);
    const first = await list({ unread_only: 'true', limit: '2' });
    expect(first).toEqual({ notifications: notifications.slice(0, 2), total: 3, has_more: true });
    const last = await list({ unread_only: 'true', limit: '2', offset: '2' });
    expect(last).toEqual({ notifications: notifications.slice(2), total: 3, has_more: false });
    expect((await list({ dataset_id: other, unread_only: 'true' })).total).toBe(1);
    expect(await list({ dataset_id: UNKNOWN })).toEqual({ notifications: [], total: 0, has_more: false });
    expect(await list({ offset: '1000' })).toMatchObject({ notifications: [], has_more: false });
  });

  it('are marked as read, one or all', async () => {
    await alertIn(one);
    await alertIn(other);
    expect(await Promise.all([countUnread(), countUnread(`?dataset_id=${one}`)])).toEqual([3, 2]);
    const [latest] = (await list()).notifications;
    const read = () => api.call('POST', `/notifications/${latest?.id}/read`);
    expect((await read()).body).toEqual({ ok: true });
    expect((await read()).status).toBe(404);
    expect((await list()).notifications[0]?.read_at).toMatch(/Z$/);
    expect(await countUnread()).toBe(2);
    expect((await api.post(`/notifications/read-all?dataset_id=${other}`)).body).toEqual({ ok: true, count: 0 });
    expect((await api.post(`/notifications/read-all?dataset_id=${one}`)).body).toEqual({ ok: true, count: 2 });
    expect((await api.post('/notifications/read-all')).body).toEqual({ ok: true, count: 0 });
    expect((await list({ unread_only: 'true' })).total).toBe(0);
  });

  it.each([
    ['GET', '/notifications?limit=0', 422],
    ['GET', '/notifications?limit=101', 422],
    ['GET', '/notifications?limit=100&offset=', 200],
    ['GET', '/notifications?offset=-1', 422],
    ['GET', '/notifications?unread_only=maybe', 422],
    ['GET', '/notifications?dataset_id=x', 422],
    ['GET', '/notifications/unread-count?dataset_id=x', 422],
    ['GET', '/notifications/stream?dataset_id=x', 422],
    ['POST', `/notifications/${UNKNOWN}/read`, 404],
    ['POST', '/notifications/x/read', 422],
    ['POST', '/notifications/read-all?dataset_id=x', 422],
  ])('%s %s answers %i', async (method, path, status) => {
    expect((await api.call(method, path)).status).toBe(status);
  });
});

describe('the stream', () => {
  it('sends new notifications completely and promptly', async () => {
    const [all, ofOne, ofOther] = await Promise.all([
      listen(),
      listen(`?dataset_id=${one}`),
      listen(`?dataset_id=${other}`),
    ]);
    await alertIn(one);
    const { notifications } = await list({ limit: '2' });
    await until(() => received(all).length === 2 && received(ofOne).length === 2, Boolean, LATE_MS);
    expect(received(all)).toEqual(notifications.toReversed());
    expect(received(ofOne)).toEqual(received(all));
    expect(received(ofOther)).toEqual([]);
  });

  it('sends a ping at once and every three seconds', async () => {
    const source = await listen();
    await until(() => source.named('ping').length >= 3, Boolean, LATE_MS);
    const [first = 0, , third = 0] = source.named('ping').map(({ at }) => at);
    expect(third - first).toBeGreaterThan(4000);
    expect(source.named('ping').every(({ data }) => JSON.stringify(data) === '{}')).toBe(true);
  });

  it('resumes after a reconnect, with each event exactly once', async () => {
    const before = await listen();
    await alertIn(one);
    await until(() => received(before).length === 2);
    const [, last] = before.named('notification');
    before.close();
    await alertIn(other);
    await alertIn(one);
    const after = await listen('', { 'Last-Event-ID': last?.id ?? '' });
    await until(() => received(after).length === 3);
    expect(received(after).map(({ dataset_id }) => dataset_id)).toEqual([other, one, one]);
    const filtered = await listen(`?dataset_id=${one}`, { 'Last-Event-ID': last?.id ?? '' });
    await until(() => received(filtered).length === 2);
    for (const id of ['nonsense', '999999999999999', '-1', '']) {
      const source = await listen('', { 'Last-Event-ID': id });
      expect(received(source)).toEqual([]);
    }
    await alertIn(other);
    await until(() => received(after).length === 4 && received(filtered).length === 2);
  });

  it(`serves ${LISTENERS} listeners and releases disconnected ones`, async () => {
    const openFiles = async () => (await readdir('/proc/self/fd')).length;
    const filesBefore = await openFiles();
    const sources = await Promise.all(Array.from({ length: LISTENERS }, () => listen()));
    await alertIn(other);
    await until(() => sources.every((source) => received(source).length === 1), Boolean, LATE_MS);
    const { notifications } = await list({ limit: '1' });
    expect(sources.every((source) => received(source)[0]?.id === notifications[0]?.id)).toBe(true);
    for (const source of sources) source.close();
    await until(openFiles, (n) => n < filesBefore + 20);
    await alertIn(other);
  });

  it('ends with the server, and does not delay its stop', async () => {
    const own = await startServer(await temporaryFolder());
    const source = await openEventSource(`${own.baseUrl}/api/v1/notifications/stream`);
    expect(await own.stop()).toBe(0);
    await source.closed;
  });
});
