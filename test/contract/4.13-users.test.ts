import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { ExportTask } from '../../src-main/contract/schemas/export.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import type { User } from '../../src-main/contract/schemas/user.ts';
import { addAccount, json, PASSWORD, signIn, signToken, WITH_ACCOUNTS } from '../support/accounts.ts';
import { type Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { addMember, whoIs } from '../support/members.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const USERS = '/idp/admin/users';

let test: TestApi;
let api: Api;
/** Client of the first administrator, who keeps this role. */
let admin: Api;
let serial = 0;

beforeAll(async () => {
  test = await startTestApi({ environment: WITH_ACCOUNTS, finished: atEnd });
  ({ api } = test);
  await addMember(test.data, 'root-admin', 'admin');
  admin = await signIn(api, 'root-admin');
});

const create = (fields: object, by = admin) => by.call<User & { detail?: string }>('POST', USERS, json(fields));
const patch = (id: string, fields: object, by = admin) => by.call<User>('PATCH', `${USERS}/${id}`, json(fields));

/** Creates a new user for a test. */
async function newUser(fields: object = {}): Promise<User> {
  serial += 1;
  const { status, body } = await create({
    username: `user-${serial}`,
    password: PASSWORD,
    firstName: 'Ada',
    lastName: `Lovelace ${serial}`,
    ...fields,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** Starts to create a dataset of two images. */
async function uploaded(by: Api, name: string): Promise<string> {
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2]);
  const { body: made } = await by.get<{ dataset_id: string }>(`/ingestion/new_dataset?dataset_name=${name}`);
  const { body } = await by.get<{ trans_id: number }>(`/ingestion/${made.dataset_id}/data_files`);
  const files = (await readdir(folder)).map((file) => join(folder, file));
  await by.upload(made.dataset_id, body.trans_id, files);
  await by.call('POST', `/ingestion/${made.dataset_id}/process_files/${body.trans_id}`);
  return made.dataset_id;
}

describe('creating a user', () => {
  it('returns the user, who can sign in, by default as a viewer', async () => {
    const user = await newUser();
    expect(user).toMatchObject({ firstName: 'Ada', enabled: true, roles: [], workspace_role: 'viewer' });
    expect(user.createdTimestamp).toBeGreaterThan(Date.parse('2026-01-01'));
    expect(user.lastAccess).toBeNull();
    const theirs = await signIn(api, user.username);
    expect((await theirs.get('/account')).body).toMatchObject({ user_id: user.user_id, role: 'viewer' });
    expect((await newUser({ workspace_role: 'editor' })).workspace_role).toBe('editor');
    await expect(signIn(api, (await newUser({ enabled: false })).username)).rejects.toThrow('401');
    const begins = await signIn(api, (await newUser({ temporary: true })).username);
    expect((await begins.get('/account')).body).toMatchObject({ must_change_password: true });
  });

  it.each([
    ['username', 'ab'],
    ['username', 'with space'],
    ['username', 'tab\tbed'],
    ['username', 'zero\u200bwidth'],
    ['username', 'x'.repeat(256)],
    ['username', 7],
    ['username', undefined],
    ['password', 'seven77'],
    ['password', undefined],
    ['firstName', ''],
    ['firstName', 'x'.repeat(256)],
    ['lastName', '   '],
    ['lastName', undefined],
    ['workspace_role', 'owner'],
    ['enabled', 'maybe'],
    ['temporary', 'maybe'],
  ])('refuses %s %j', async (field, value) => {
    const fields = { username: 'never-made', password: PASSWORD, firstName: 'A', lastName: 'B', [field]: value };
    const { status, body } = await create(fields);
    expect(status).toBe(422);
    expect(body).toMatchObject({ fields: { [field]: expect.any(String) } });
    expect((await admin.get(`${USERS}?search=never-made`)).body).toEqual({ users: [], total: 0 });
  });

  it('refuses a taken username in any case, and that of the local owner, without side effects', async () => {
    const { username } = await newUser();
    const before = (await admin.get<{ total: number }>(USERS)).body.total;
    for (const taken of [username, username.toUpperCase(), `${username}@localhost`, 'owner', 'owner@localhost']) {
      const fields = { username: taken, password: PASSWORD, firstName: 'A', lastName: 'B' };
      expect((await create(fields)).status, taken).toBe(409);
    }
    expect((await admin.get<{ total: number }>(USERS)).body.total).toBe(before);
  });

  it('creates one of two users that are requested at once with the same name', async () => {
    const fields = { username: 'wanted-twice', password: PASSWORD, firstName: 'A', lastName: 'B' };
    const answers = await Promise.all([create(fields), create(fields)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await admin.get(`${USERS}?search=wanted-twice`)).body).toMatchObject({ total: 1 });
  });
});

describe('finding users', () => {
  it('works by either id, and by nothing else', async () => {
    const user = await newUser();
    for (const id of [user.id, user.user_id, user.id.toUpperCase()]) {
      expect((await admin.get(`${USERS}/${id}`)).body).toEqual(user);
    }
    for (const id of [UNKNOWN, user.username, '..%2f..%2fetc', "' OR 1=1 --", '%00', 'null']) {
      expect((await admin.get(`${USERS}/${id}`)).status, id).toBe(404);
    }
  });

  it('works by username or name, by page, with a total', async () => {
    const users = [
      await newUser({ lastName: 'Paged' }),
      await newUser({ lastName: 'Paged' }),
      await newUser({ lastName: 'Paged' }),
    ];
    const names = users.map(({ username }) => username).sort();
    const page = async (query: string) => (await admin.get<{ users: User[]; total: number }>(`${USERS}?${query}`)).body;
    const all = await page('search=ada%20PAGED');
    expect(all.users.map(({ username }) => username).sort()).toEqual(names);
    const rest = await page('search=paged&first=1&max_results=1');
    expect(rest).toMatchObject({ users: [{ username: all.users[1]?.username }], total: 3 });
    expect((await page(`search=${names[0]}`)).users[0]?.username).toBe(names[0]);
    for (const query of ['max_results=0', 'max_results=1001', 'first=-1', 'max_results=x']) {
      expect((await admin.get(`${USERS}?${query}`)).status, query).toBe(422);
    }
  });
});

describe('changing a user', () => {
  it('renames the user, also in past actions, and refuses taken names', async () => {
    const [user, other] = [await newUser({ workspace_role: 'editor' }), await newUser()];
    const theirs = await signIn(api, user.username);
    const { body } = await theirs.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=d');
    expect((await patch(user.user_id, { username: `re-${user.username}` })).body).toMatchObject({
      id: user.id,
      username: `re-${user.username}`,
      email: `re-${user.username}@localhost`,
    });
    expect((await admin.get(`/dataset/${body.dataset_id}`)).body).toMatchObject({
      created_by: `re-${user.username}@localhost`,
    });
    expect((await patch(user.id, { username: other.username })).status).toBe(409);
    expect((await patch(user.id, { username: 'a b' })).status).toBe(422);
    expect((await patch(user.id, {})).status).toBe(400);
    expect((await patch(UNKNOWN, { enabled: true })).status).toBe(404);
  });

  it('disables sessions, tokens and logins at once, and enables them again', async () => {
    const user = await newUser();
    const theirs = await signIn(api, user.username);
    const credential = (await theirs.get<{ api_key: string; api_secret: string }>('/api_credentials')).body;
    const headers = { authorization: `Bearer ${await signToken(credential)}` };
    const byToken = async () => (await api.call('GET', '/datasets', { headers })).status;
    expect(await byToken()).toBe(200);
    expect((await patch(user.id, { enabled: false })).body.enabled).toBe(false);
    expect(await byToken()).toBe(401);
    expect((await theirs.get('/datasets')).status).toBe(401);
    await expect(signIn(api, user.username)).rejects.toThrow('401');
    await patch(user.id, { enabled: true });
    expect(await byToken()).toBe(200);
    expect((await theirs.get('/datasets')).status).toBe(401);
    await signIn(api, user.username);
  });

  it('sets a temporary password, which only allows a change of password', async () => {
    const user = await newUser();
    const before = await signIn(api, user.username);
    const reset = (password: string) =>
      admin.call('POST', `${USERS}/${user.user_id}/reset-password`, json({ password }));
    expect((await reset('short')).status).toBe(422);
    expect(await reset('another horse')).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect((await before.get('/account')).status).toBe(401);
    const theirs = await signIn(api, user.username, 'another horse');
    expect((await theirs.get('/account')).body).toMatchObject({ must_change_password: true });
    expect(await theirs.get('/datasets')).toMatchObject({
      status: 403,
      body: { detail: 'Change your password first' },
    });
    const change = { current_password: 'another horse', password: 'my own horse' };
    expect((await theirs.call('PUT', '/account/password', json(change))).status).toBe(200);
    expect((await (await signIn(api, user.username, 'my own horse')).get('/datasets')).status).toBe(200);
  });

  it('lists sessions and ends them', async () => {
    const user = await newUser();
    const theirs = await signIn(api, user.username);
    const { body } = await admin.get<{ sessions: Record<string, unknown>[]; total: number }>(
      `${USERS}/${user.id}/sessions`,
    );
    expect(body).toMatchObject({ sessions: [{ username: user.username, ipAddress: '127.0.0.1' }], total: 1 });
    expect(Number(body.sessions[0]?.start)).toBeGreaterThan(Date.parse('2026-01-01'));
    expect((await admin.call('POST', `${USERS}/${user.user_id}/logout`)).status).toBe(200);
    expect((await theirs.get('/account')).status).toBe(401);
    expect((await admin.get(`${USERS}/${user.id}/sessions`)).body).toEqual({ sessions: [], total: 0 });
  });
});

describe('realm roles', () => {
  const setRoles = (id: string, roles: unknown, by = admin) =>
    by.call<User>('PUT', `${USERS}/${id}/roles`, json({ roles }));

  it('are replaced, and unknown names are ignored', async () => {
    const user = await newUser();
    expect((await setRoles(user.id, ['view-users', 'root', 'view-users', ''])).body.roles).toEqual(['view-users']);
    expect((await setRoles(user.user_id, ['query-groups'])).body.roles).toEqual(['query-groups']);
    expect((await setRoles(user.id, [])).body.roles).toEqual([]);
    expect((await setRoles(user.id, 'view-users')).status).toBe(422);
  });

  it('grant reading and changing users separately, and never make an admin', async () => {
    const [user, other] = [await newUser({ workspace_role: 'editor' }), await newUser()];
    const theirs = await signIn(api, user.username);
    expect((await theirs.get(USERS)).status).toBe(403);
    await setRoles(user.id, ['view-users']);
    expect((await theirs.get(`${USERS}/${other.id}`)).status).toBe(200);
    expect((await patch(other.id, { enabled: false }, theirs)).status).toBe(403);
    await setRoles(user.id, ['manage-users']);
    expect((await theirs.get(USERS)).status).toBe(403);
    expect((await patch(other.id, { enabled: false }, theirs)).status).toBe(200);
    const rootAdmin = whoIs(test.data, 'root-admin').user_id;
    const fields = {
      username: 'new-admin',
      password: PASSWORD,
      firstName: 'A',
      lastName: 'B',
      workspace_role: 'admin',
    };
    expect((await create(fields, theirs)).status).toBe(403);
    expect(
      (await theirs.call('POST', `${USERS}/${rootAdmin}/reset-password`, json({ password: PASSWORD }))).status,
    ).toBe(403);
    // The last administrator cannot be deleted, whoever requests it: interface section 7.
    expect((await theirs.call('DELETE', `${USERS}/${rootAdmin}`)).status).toBe(400);
    expect((await create({ ...fields, workspace_role: 'viewer' }, theirs)).status).toBe(201);
  });
});

describe('deleting a user', () => {
  it('transfers the datasets to the acting admin, while tasks continue', async () => {
    const user = await newUser({ workspace_role: 'editor' });
    const theirs = await signIn(api, user.username);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    test.compute.beforeImage = () => held;
    const id = await uploaded(theirs, 'kept');

    expect(await admin.call('DELETE', `${USERS}/${user.id}`)).toMatchObject({
      status: 200,
      body: { message: expect.any(String) },
    });
    expect((await theirs.get('/datasets')).status).toBe(401);
    expect((await admin.get(`${USERS}/${user.id}`)).status).toBe(404);
    release();
    const done = await admin.waitFor(id, 'READY');
    expect(done).toMatchObject({ owned_by: 'ME', n_images: 2 });
    const { tasks } = (await admin.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`)).body;
    expect(tasks).toMatchObject([{ task_type: 'DATASET_CREATION', created_by: 'root-admin@localhost' }]);
    expect((await admin.get<{ created_by: string[] }>('/tasks/filters')).body.created_by).not.toContain(user.email);
    const { body: audit } = await admin.get<{ entries: object[] }>('/audit?action=user_deleted');
    expect(audit.entries[0]).toMatchObject({ actor: 'root-admin@localhost', subject: user.username });
  });

  it('refuses the own account and the last admin', async () => {
    const own = whoIs(test.data, 'root-admin').user_id;
    expect((await admin.call('DELETE', `${USERS}/${own}`)).status).toBe(400);
    expect((await patch(own, { enabled: false })).status).toBe(400);
    expect((await admin.call('DELETE', `${USERS}/${UNKNOWN}`)).status).toBe(404);
  });

  it('frees the name', async () => {
    const user = await newUser();
    await admin.call('DELETE', `${USERS}/${user.id}`);
    expect((await newUser({ username: user.username })).id).not.toBe(user.id);
  });
});

it('invalidates signed URLs for data that the user may no longer read', async () => {
  const user = await newUser({ workspace_role: 'editor' });
  const theirs = await signIn(api, user.username);
  const id = await uploaded(theirs, 'leaving');
  await theirs.waitFor(id, 'READY');
  const { body: begun } = await theirs.get<ExportTask>(`/dataset/${id}/export_context_async?export_format=json`);
  const exported = await until(
    async () => (await theirs.get<ExportTask>(`/dataset/${id}/export_status?export_task_id=${begun.id}`)).body,
    ({ status }) => status === 'COMPLETED',
  );
  const preview = (await theirs.get<Dataset>(`/dataset/${id}`)).body.preview_uri;
  const statuses = async () => {
    const answers = await Promise.all([exported.download_uri, preview].map((uri) => fetch(uri ?? '')));
    const refused = await Promise.all(answers.filter(({ ok }) => !ok).map((answer) => answer.json()));
    for (const body of refused) expect(body).toMatchObject({ detail: 'This media address has expired' });
    return answers.map(({ status }) => status);
  };
  const become = (role: string) => admin.call('PUT', `/workspace/members/${user.user_id}/role`, json({ role }));

  expect(await statuses()).toEqual([200, 200]);
  // URL that was signed without a user, as before authentication was turned on.
  const { preview_uri: ofNobody } = await test.call('get_dataset', { dataset_id: id });
  const { pathname, search } = new URL(ofNobody ?? '');
  expect((await fetch(`${api.baseUrl}${pathname}${search}`)).status).toBe(403);
  await become('viewer');
  expect(await statuses()).toEqual([403, 200]);
  await become('editor');
  expect(await statuses()).toEqual([200, 200]);
  await patch(user.id, { enabled: false });
  expect(await statuses()).toEqual([403, 403]);
  await patch(user.id, { enabled: true });
  expect(await statuses()).toEqual([200, 200]);
  await admin.call('DELETE', `${USERS}/${user.id}`);
  expect(await statuses()).toEqual([403, 403]);
});

it('a second admin replaces the first, who is signed out and no longer manages users', async () => {
  const before = await signIn(api, 'root-admin');
  const user = await newUser({ workspace_role: 'admin' });
  expect(user).toMatchObject({ workspace_role: 'admin' });
  expect([...user.roles].sort()).toEqual(['manage-users', 'query-groups', 'query-users', 'view-users']);
  expect((await before.get('/account')).status).toBe(401);
  const demoted = await signIn(api, 'root-admin');
  expect((await demoted.get('/account')).body).toMatchObject({ role: 'editor', realm_roles: [] });
  expect((await demoted.get(USERS)).status).toBe(403);
});

it('is unavailable when users are not managed', async () => {
  const { api: desktop } = await startTestApi();
  expect(await desktop.get(USERS)).toMatchObject({ status: 403, body: { detail: 'User management is not enabled' } });
  const { api: team, data } = await startTestApi({ environment: { DISABLE_AUTH: 'false' } });
  await addAccount(data, { username: 'boss', role: 'admin', realm_roles: ['manage-users', 'view-users'] });
  expect((await (await signIn(team, 'boss')).get(USERS)).status).toBe(403);
});
