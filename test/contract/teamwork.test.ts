import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Notification } from '../../src-main/contract/schemas/notification.ts';
import type { Assignment, Comment } from '../../src-main/contract/schemas/teamwork.ts';
import { type Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { openEventSource } from '../support/event-source.ts';
import { writeImages } from '../support/images.ts';
import { principal } from '../support/principals.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const ann = principal({
  user_id: '00000000-0000-4000-8000-000000000001',
  email: 'ann@example.org',
  name: 'Ann',
  role: 'editor',
});
const ben = principal({
  ...ann,
  user_id: '00000000-0000-4000-8000-000000000002',
  email: 'ben@example.org',
  name: 'Ben',
});

let test: TestApi;
let api: Api;
let dataset: string;
let item: string;

beforeAll(async () => {
  test = await startTestApi({ finished: atEnd });
  ({ api } = test);
  const catalog = new Database(join(test.data, 'catalog.db'));
  const add = catalog.prepare('INSERT INTO user (user_id, email, name, created_at) VALUES (?, ?, ?, ?)');
  for (const { user_id, email, name } of [ann, ben]) add.run(user_id, email, name, '2026-01-01T00:00:00.000Z');
  catalog.close();
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2, 3]);
  dataset = await api.createFromFolder('team', folder);
  await api.waitFor(dataset, 'READY');
  await api.atRest();
  await api.call('PUT', `/manage/${dataset}/invite`, json({ grant_to_user_email: ann.email }));
  const listed = await api.get<{ items: { media_id: string }[] }>(`/explore/${dataset}/items`);
  item = listed.body.items[0]?.media_id ?? '';
});

const comment = (text: string, mediaId = item) =>
  api.call<Comment & { detail: string }>('POST', `/dataset/${dataset}/comments`, json({ media_id: mediaId, text }));
const comments = async () => (await api.get<Comment[]>(`/dataset/${dataset}/comments?media_id=${item}`)).body;
const noticesOf = async (who: typeof ann) =>
  (await test.call('list_notifications', { limit: 20, offset: 0, unread_only: false }, who))
    .notifications as Notification[];

describe('comments', () => {
  it('are added, listed, edited and deleted by their author', async () => {
    const { status, body } = await comment('  Is this a duplicate? ');
    expect(status).toBe(200);
    expect(body).toMatchObject({ text: 'Is this a duplicate?', is_own: true, edited_at: null });
    const path = `/dataset/${dataset}/comments/${body.comment_id}`;
    const edited = await api.call<Comment>('PATCH', path, json({ text: 'It is one.' }));
    expect(edited.body).toMatchObject({ text: 'It is one.', edited_at: expect.any(String) });
    expect(await comments()).toMatchObject([{ text: 'It is one.' }]);
    expect((await api.call('DELETE', path)).status).toBe(200);
    expect(await comments()).toEqual([]);
    expect((await api.call('DELETE', path)).status).toBe(404);
    expect((await comment('x', UNKNOWN)).status).toBe(404);
    expect((await comment(' ')).status).toBe(422);
  });

  it('notify the people whom they mention, once, if these can see the dataset', async () => {
    const { body } = await comment('@ann@example.org please look, @ben@example.org.');
    expect(await noticesOf(ann)).toMatchObject([
      { entity_type: 'comment', entity_id: item, dataset_id: dataset, message: expect.stringContaining('please look') },
    ]);
    expect(await noticesOf(ben)).toEqual([]);
    await api.call(
      'PATCH',
      `/dataset/${dataset}/comments/${body.comment_id}`,
      json({ text: '@ann@example.org again' }),
    );
    expect(await noticesOf(ann)).toHaveLength(1);
    const read = await test.call('list_comments', { dataset_id: dataset, media_id: item }, ann);
    expect(read).toMatchObject([{ text: '@ann@example.org again', is_own: false }]);
    await expect(
      test.call('add_comment', { dataset_id: dataset, media_id: item, text: 'x' }, ann),
    ).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(test.call('list_comments', { dataset_id: dataset }, ben)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('assignments', () => {
  const assign = (email: string, vql = '[]') =>
    api.call<Assignment & { detail: string }>(
      'POST',
      `/dataset/${dataset}/assignments`,
      json({ assignee_email: email, title: 'Dark ones', note: 'Please exclude', vql }),
    );

  it('are made for people who can see the dataset, who mark them as done', async () => {
    const people = await api.get<{ email: string; role: string }[]>(`/dataset/${dataset}/people`);
    expect(people.body).toEqual(expect.arrayContaining([{ email: ann.email, name: 'Ann', role: 'viewer' }]));
    expect((await assign(ben.email)).status).toBe(404);
    expect((await assign(ann.email, '[{"nothing":{}}]')).status).toBe(422);
    const { status, body } = await assign('ANN@example.org', '[{"issues":{"op":"issue","value":"dark"}}]');
    expect(status).toBe(200);
    expect(await test.call('list_assignments', {}, ann)).toMatchObject([
      { title: 'Dark ones', is_own: true, done_at: null },
    ]);
    expect(await test.call('list_assignments', {}, ben)).toEqual([]);
    expect((await noticesOf(ann))[0]).toMatchObject({ entity_type: 'assignment', entity_id: body.assignment_id });
    const done = { assignment_id: body.assignment_id, done: true };
    await expect(test.call('set_assignment_done', done, ben)).rejects.toMatchObject({ code: 'not_found' });
    expect(await test.call('set_assignment_done', done, ann)).toMatchObject({ done_at: expect.any(String) });
    expect((await api.get<Assignment[]>('/assignments')).body).toMatchObject([
      { is_own: false, done_at: expect.any(String), assignee_email: ann.email },
    ]);
    await expect(test.call('delete_assignment', { assignment_id: body.assignment_id }, ann)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await api.call('DELETE', `/assignments/${body.assignment_id}`)).status).toBe(200);
    expect((await api.get<Assignment[]>('/assignments')).body).toEqual([]);
  });
});

it('sends an edit with the user who made it', async () => {
  const events = await openEventSource(`${api.baseUrl}/api/v1/events`);
  onTestFinished(() => events.close());
  const owner = (await api.get<{ user_id: string }>('/account')).body.user_id;
  const selection = [{ type: 'media', payload: { media_ids: [item] } }];
  const { body: tag } = await api.call<{ tag_id: string }>('POST', `/dataset/${dataset}/tags`, json({ name: 'seen' }));
  await api.call(
    'POST',
    `/dataset/${dataset}/edit_tags`,
    json({ media_selection: selection, add: [tag.tag_id], remove: [] }),
  );
  await until(() =>
    events
      .named('dataset_changed')
      .some(({ data }) => isDeepStrictEqual(data, { dataset_id: dataset, edited_by: owner })),
  );
});
