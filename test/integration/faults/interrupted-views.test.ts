import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Notification } from '../../../src-main/contract/schemas/notification.ts';
import type { Trend, View } from '../../../src-main/contract/schemas/view.ts';
import { atEnd } from '../../support/at-end.ts';
import { noteFault } from '../../support/fault-count.ts';
import { writeImages } from '../../support/images.ts';
import { serve } from '../../support/serve.ts';
import { killedBefore } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';

async function imagesOf(seeds: readonly number[]): Promise<string> {
  const folder = await temporaryFolder();
  await writeImages(folder, seeds);
  return folder;
}

/** A data folder of a stopped server, with a dataset of two images and two views that match everything. */
let sound: string;
let id: string;
let views: View[];

beforeAll(async () => {
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2]);
  sound = await temporaryFolder(atEnd);
  const { api, close } = await openData(sound, { finished: atEnd });
  id = await api.createFromFolder('watched', folder, { encoder: 'none' });
  await api.waitFor(id, 'READY');
  views = [];
  for (const name of ['first', 'second']) views.push((await api.post<View>(`/dataset/${id}/views`, { name })).body);
  await api.atRest();
  await close();
});

async function copyOfSound(): Promise<string> {
  const data = await temporaryFolder();
  await cp(sound, data, { recursive: true });
  return data;
}

it.each([
  ['the batch is indexed', /UPDATE task SET checkpoint.*joined.*:true/],
  ['the first point is written', /INSERT INTO view_point/],
  ['the second alert is written', /INSERT INTO notification[\s\S]*second/],
  ['the batch is completed', /UPDATE task SET status = :status[\s\S]*COMPLETED.*task_added/],
])('a server that is killed before %s counts the batch once for each view, and alerts once', async (_, statement) => {
  const data = await copyOfSound();
  const killed = await serve(data, killedBefore(statement));
  noteFault();
  await killed.api
    .post(`/dataset/${id}/add_media`, { s3_uri: await imagesOf([3, 4, 5]) })
    .catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
  expect((await killed.server.ended).code).toBeNull();

  const { api } = await openData(data);
  await api.waitFor(id, 'PARTIAL INDEX');
  for (const { id: viewId } of views) {
    const { body } = await api.get<Trend>(`/dataset/${id}/views/${viewId}/trend`);
    expect(body.points.map(({ count, cumulative }) => [count, cumulative])).toEqual([[3, 3]]);
    expect(body.total_results).toBe(3);
  }
  const { body } = await api.get<{ notifications: Notification[] }>('/notifications');
  expect(body.notifications.map(({ metadata }) => metadata.view_name).toSorted()).toEqual(['first', 'second']);
});

it('views and their trends are restored with their dataset when the catalog is lost', async () => {
  const data = await copyOfSound();
  const before = await openData(data);
  await before.api.post(`/dataset/${id}/add_media`, { s3_uri: await imagesOf([3]) });
  await before.api.waitFor(id, 'PARTIAL INDEX');
  const listed = (await before.api.get<{ views: View[] }>(`/dataset/${id}/views`)).body;
  await before.api.atRest();
  await before.close();
  for (const file of ['catalog.db', 'catalog.db-wal', 'catalog.db-shm', 'catalog-copy.db']) {
    await rm(join(data, file), { force: true });
  }
  noteFault();

  const { api } = await openData(data);
  const { body } = await api.get<{ views: View[] }>(`/dataset/${id}/views`);
  const userId = body.views[0]?.created_by.user_id ?? '';
  const expected = listed.views.map((view) => ({
    ...view,
    created_by: { ...view.created_by, user_id: userId },
  }));
  expect(body.views).toEqual(expected);
  await api.post(`/dataset/${id}/add_media`, { s3_uri: await imagesOf([4, 5]) });
  await api.waitFor(id, 'PARTIAL INDEX');
  await api.atRest();
  const trend = await api.get<Trend>(`/dataset/${id}/views/${body.views[0]?.id}/trend`);
  expect(trend.body.points.map(({ count, cumulative }) => [count, cumulative])).toEqual([
    [1, 1],
    [2, 3],
  ]);
});
