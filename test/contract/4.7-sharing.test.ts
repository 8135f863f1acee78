import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '../../src-main/core/core.ts';
import { type Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { principal } from '../support/principals.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const friend = principal({
  user_id: '00000000-0000-4000-8000-000000000001',
  email: 'Friend@example.org',
  name: 'F',
  role: 'editor',
});

let test: TestApi;
let api: Api;
let dataset: string;

/** Writes an account to the catalog, because the interface has no operation to create accounts besides the local owner's yet. */
function register({ user_id, email, name }: Principal): void {
  const catalog = new Database(join(test.data, 'catalog.db'));
  catalog
    .prepare(`INSERT INTO user (user_id, email, name, created_at) VALUES (?, ?, ?, '2026-01-01T00:00:00.000Z')`)
    .run(user_id, email, name);
  catalog.close();
}

beforeAll(async () => {
  test = await startTestApi({ finished: atEnd });
  ({ api } = test);
  register(friend);
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2, 3]);
  dataset = await api.createFromFolder('shared', folder);
  await api.waitFor(dataset, 'READY');
  await api.atRest();
});

const invite = (email: unknown, of = dataset) =>
  api.call('PUT', `/manage/${of}/invite`, {
    body: JSON.stringify({ grant_to_user_email: email }),
    headers: { 'Content-Type': 'application/json' },
  });
const shares = async () => (await api.get(`/manage/${dataset}/share`)).body;
const asFriend = (id: 'get_dataset' | 'get_dataset_stats' | 'delete_dataset' | 'list_shares' | 'reindex') =>
  test.call(id, { dataset_id: dataset }, friend);

describe('an invitation', () => {
  it('lets an account view the dataset, and nothing else', async () => {
    await expect(asFriend('get_dataset')).rejects.toMatchObject({ code: 'not_found' });
    expect(await test.call('list_datasets', {}, friend)).toEqual([]);
    expect(await invite('friend@EXAMPLE.org')).toMatchObject({ status: 200, text: 'null' });
    expect(await asFriend('get_dataset')).toMatchObject({ id: dataset, owned_by: 'owner@localhost' });
    expect(await test.call('list_datasets', {}, friend)).toMatchObject([{ id: dataset }]);
    expect((await test.call('list_tasks', { with_service: false }, friend)).total).toBeGreaterThan(0);
    const { clusters } = await test.call('explore', { dataset_id: dataset, entity_type: 'IMAGES' }, friend);
    const imageId = clusters[0]?.previews[0]?.media_id ?? '';
    expect(await test.call('get_image', { image_id: imageId }, friend)).toMatchObject({ image_id: imageId });
    for (const id of ['delete_dataset', 'reindex'] as const) {
      await expect(asFriend(id)).rejects.toMatchObject({ code: 'forbidden' });
    }
    const again = { dataset_id: dataset, grant_to_user_email: friend.email };
    await expect(test.call('invite', again, friend)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(test.call('create_tag', { dataset_id: dataset, name: 'x' }, friend)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('is listed with its role, once even if sent repeatedly', async () => {
    expect((await invite(friend.email)).status).toBe(200);
    expect((await invite('owner@localhost')).status).toBe(200);
    const both = [
      { email: 'owner@localhost', role: 'owner' },
      { email: friend.email, role: 'viewer' },
    ];
    expect(await shares()).toEqual(both);
    expect(await asFriend('list_shares')).toEqual(both);
  });

  it('is revoked, repeatedly without harm', async () => {
    const revoke = (email: string) =>
      api.call('DELETE', `/manage/${dataset}/share?user_email=${encodeURIComponent(email)}`);
    expect(await revoke('FRIEND@example.org')).toMatchObject({ status: 200, body: { revoked: true } });
    expect(await revoke(friend.email)).toMatchObject({ status: 200, body: { revoked: false } });
    expect(await revoke('owner@localhost')).toMatchObject({ status: 200, body: { revoked: false } });
    await expect(asFriend('get_dataset')).rejects.toMatchObject({ code: 'not_found' });
    expect(await shares()).toEqual([{ email: 'owner@localhost', role: 'owner' }]);
  });

  it.each([undefined, '', 'x', 'a@b@c', 'a b@c', 5, `${'x'.repeat(250)}@example.org`])(
    'to %j is malformed',
    async (email) => {
      expect((await invite(email)).status).toBe(422);
    },
  );

  it('needs an existing account and dataset', async () => {
    expect(await invite('nobody@example.org')).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
    expect((await invite(friend.email, UNKNOWN)).status).toBe(404);
    expect((await api.get(`/manage/${UNKNOWN}/share`)).status).toBe(404);
  });

  it('is deleted with the dataset', async () => {
    const folder = await temporaryFolder(atEnd);
    await writeImages(folder, [9]);
    const other = await api.createFromFolder('to delete', folder);
    await api.waitFor(other, 'READY');
    await invite(friend.email, other);
    expect(await test.call('list_datasets', {}, friend)).toHaveLength(1);
    expect((await api.call('DELETE', `/dataset/${other}`)).status).toBe(200);
    await until(async () => (await test.call('list_datasets', {}, friend)).length === 0);
  });

  it('is refused while sharing is off', async () => {
    const off = await startTestApi({ environment: { VITRINE_DATASET_SHARE_ENABLED: 'false' } });
    const { dataset_id } = await off.call('new_dataset', { dataset_name: 'alone' });
    expect((await off.api.get(`/manage/${dataset_id}/share`)).status).toBe(403);
    const refused = await off.api.call('PUT', `/manage/${dataset_id}/invite`, {
      body: JSON.stringify({ grant_to_user_email: 'owner@localhost' }),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(refused).toMatchObject({ status: 403, body: { detail: 'Sharing is not enabled' } });
  });
});

it('gives signed URLs that belong to the caller and end with the share', async () => {
  await test.call('invite', { dataset_id: dataset, grant_to_user_email: friend.email });
  const { preview_uri } = await test.call('get_dataset', { dataset_id: dataset }, friend);
  const address = new URL(preview_uri ?? '');
  const statusOf = async () => (await fetch(`${api.baseUrl}${address.pathname}${address.search}`)).status;
  expect(address.searchParams.get('u')).toBe(friend.user_id);
  expect(await statusOf()).toBe(200);
  await test.call('revoke_share', { dataset_id: dataset, user_email: friend.email });
  expect(await statusOf()).toBe(403);
  address.searchParams.set('u', UNKNOWN);
  expect(await statusOf()).toBe(403);
  address.searchParams.delete('u');
  expect(await statusOf()).toBe(403);
});

it('of a view notifies users who may see the dataset, and grants nothing', async () => {
  const view = await test.call('create_view', { dataset_id: dataset, name: 'Dogs' });
  const share = (fields: Record<string, unknown>, viewId = view.id) =>
    api.call('POST', `/dataset/${dataset}/views/${viewId}/share`, json({ user_email: friend.email, ...fields }));
  const received = async () => (await test.call('list_notifications', {}, friend)).notifications;
  expect((await share({})).status).toBe(404);
  await expect(asFriend('get_dataset')).rejects.toMatchObject({ code: 'not_found' });
  await test.call('invite', { dataset_id: dataset, grant_to_user_email: friend.email });
  expect(await received()).toEqual([]);

  expect(await share({ message: '  Look at these  ' })).toMatchObject({ status: 200, body: { ok: true } });
  expect(await received()).toMatchObject([
    {
      user_id: friend.user_id,
      entity_type: 'saved_view',
      entity_id: view.id,
      dataset_id: dataset,
      message: 'Look at these',
      read_at: null,
      metadata: {
        view_name: 'Dogs',
        dataset_name: 'shared',
        is_alert: false,
        shared_by: 'Local owner',
        result_count: 0,
      },
    },
  ]);
  expect((await share({ user_email: 'friend@EXAMPLE.org', message: '' })).status).toBe(200);
  expect((await received()).map(({ message }) => message)).toEqual([null, 'Look at these']);
  expect((await test.call('list_notifications', {})).notifications).toEqual([]);
  expect((await share({ message: 'x'.repeat(251) })).status).toBe(422);
  expect((await share({ user_email: 'nobody' })).status).toBe(422);
  expect((await share({ user_email: 'nobody@example.org' })).status).toBe(404);
  expect((await share({ user_email: 'owner@localhost' })).status).toBe(400);
  expect((await share({}, UNKNOWN)).status).toBe(404);
  const back = { dataset_id: dataset, view_id: view.id, user_email: 'owner@localhost' };
  await expect(test.call('share_view', back, friend)).rejects.toMatchObject({ code: 'forbidden' });
});
