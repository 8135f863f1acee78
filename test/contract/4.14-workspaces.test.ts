import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceRole } from '../../src-main/contract/permissions.ts';
import type { Principal } from '../../src-main/core/core.ts';
import { systemClock } from '../../src-main/infra/clock.ts';
import { WITH_ACCOUNTS } from '../support/accounts.ts';
import { atEnd } from '../support/at-end.ts';
import { addMember, idpIdOf, whoIs } from '../support/members.ts';
import { createTestCore, type TestCore } from '../support/test-core.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let test: TestCore;
let serial = 0;

/** Creates a new account for a test. */
async function account(role: WorkspaceRole | null): Promise<Principal & { username: string }> {
  serial += 1;
  const username = `${role ?? 'nobody'}-${serial}`;
  return { ...(await addMember(test.data, username, role)), username };
}

const again = ({ username }: { username: string }) => whoIs(test.data, username);
const setRole = (by: Principal, of: Principal, role: WorkspaceRole) =>
  test.call('set_member_role', { member_user_id: of.user_id, role }, by);
const rolesNow = async (by: Principal) =>
  new Map((await test.call('list_members', {}, by)).members.map(({ user_id, role }) => [user_id, role]));
const draftOf = async (owner: Principal) =>
  (await test.call('new_dataset', { dataset_name: 'theirs' }, owner)).dataset_id;

describe('one workspace for all', () => {
  let admin: Principal & { username: string };
  let editor: Principal & { username: string };
  let viewer: Principal & { username: string };

  beforeAll(async () => {
    test = await createTestCore({ environment: WITH_ACCOUNTS, finished: atEnd });
  });
  beforeEach(async () => {
    const former = admin;
    admin = await account('admin');
    if (former) await test.call('remove_member', { member_user_id: former.user_id }, admin);
    [editor, viewer] = [await account('editor'), await account('viewer')];
  });

  it('is visible only to members, with the permissions of each', async () => {
    const { workspaces } = await test.call('list_workspaces', {}, viewer);
    expect(workspaces).toMatchObject([
      { name: 'Default', permissions: { can_view: true, can_manage_members: false, can_create_dataset: false } },
    ]);
    const [{ id = '', organization_id = '' } = {}] = workspaces;
    expect((await test.call('get_workspace', { workspace_id: id }, admin)).permissions).toEqual({
      can_view: true,
      can_manage_members: true,
      can_edit_roles: true,
      can_create_dataset: true,
    });
    expect((await test.call('list_workspaces', { organization_id: UNKNOWN }, viewer)).workspaces).toEqual([]);
    expect((await test.call('list_organizations', {}, viewer)).organizations).toMatchObject([{ id: organization_id }]);
    expect(await test.call('get_organization', { organization_id }, viewer)).toMatchObject({ name: 'Default' });
    expect(await test.call('get_settings_access', {}, editor)).toEqual({
      can_access: true,
      can_manage: false,
      role: 'editor',
    });

    const outside = await account(null);
    expect((await test.call('list_workspaces', {}, outside)).workspaces).toEqual([]);
    expect((await test.call('list_organizations', {}, outside)).organizations).toEqual([]);
    expect(await test.call('get_settings_access', { workspace_id: id }, outside)).toEqual({
      can_access: false,
      can_manage: false,
      role: null,
    });
    for (const refused of [
      test.call('get_workspace', { workspace_id: id }, outside),
      test.call('get_organization', { organization_id }, outside),
      test.call('list_members', {}, outside),
      test.call('list_members', { workspace_id: id }, outside),
      test.call('get_workspace', { workspace_id: UNKNOWN }, admin),
      test.call('get_settings_access', { workspace_id: UNKNOWN }, admin),
    ]) {
      await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(test.call('create_workspace', { name: 'second' }, admin)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('replaces its admin, who becomes an editor and has to sign in again', async () => {
    expect(await setRole(admin, editor, 'admin')).toMatchObject({ user_id: editor.user_id, role: 'admin' });
    expect(await rolesNow(viewer)).toEqual(
      expect.objectContaining(
        new Map<string, WorkspaceRole>([
          [admin.user_id, 'editor'],
          [editor.user_id, 'admin'],
        ]),
      ),
    );
    expect(again(admin).realm_roles).toEqual([]);
    expect([...again(editor).realm_roles].sort()).toEqual([
      'manage-users',
      'query-groups',
      'query-users',
      'view-users',
    ]);
    await expect(setRole(again(admin), viewer, 'editor')).rejects.toMatchObject({ code: 'forbidden' });
    // A principal that is no longer an administrator is checked again.
    await expect(setRole(admin, viewer, 'editor')).rejects.toMatchObject({ code: 'forbidden' });
    admin = { ...again(editor), username: editor.username };
  });

  it('has one admin after two are promoted at once', async () => {
    const results = await Promise.allSettled([setRole(admin, editor, 'admin'), setRole(admin, viewer, 'admin')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const admins = [...(await rolesNow(editor))].filter(([, role]) => role === 'admin');
    expect(admins).toHaveLength(1);
    const next = admins[0]?.[0] === editor.user_id ? editor : viewer;
    admin = { ...again(next), username: next.username };
  });

  it('transfers the datasets of a member who becomes a viewer', async () => {
    const dataset = await draftOf(editor);
    expect(await test.call('get_dataset', { dataset_id: dataset }, editor)).toMatchObject({ my_role: 'owner' });
    expect(await setRole(admin, editor, 'viewer')).toMatchObject({ role: 'viewer' });
    const seen = await test.call('get_dataset', { dataset_id: dataset }, again(editor));
    expect(seen).toMatchObject({ my_role: 'viewer', owned_by: admin.email });
    expect(await test.call('get_dataset', { dataset_id: dataset }, admin)).toMatchObject({ owned_by: 'ME' });
  });

  it.each([
    ['becomes a viewer', 'forbidden', (of: Principal) => setRole(admin, of, 'viewer')],
    ['is taken out', 'forbidden', (of: Principal) => test.call('remove_member', { member_user_id: of.user_id }, admin)],
    [
      'is disabled',
      'unauthenticated',
      (of: Principal) => test.call('update_user', { user_id: of.user_id, enabled: false }, admin),
    ],
    ['is deleted', 'unauthenticated', (of: Principal) => test.call('delete_user', { user_id: of.user_id }, admin)],
  ])('gives no dataset to a user who %s while it is created', async (_, code, change) => {
    const before = (await test.call('list_datasets', {}, admin)).length;
    const making = expect(draftOf(editor)).rejects.toMatchObject({ code });
    await change(editor);
    await making;
    expect(await test.call('list_datasets', {}, admin)).toHaveLength(before);
  });

  it('lets only admins change roles, and nobody their own', async () => {
    await expect(setRole(editor, viewer, 'editor')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(setRole(viewer, viewer, 'admin')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(setRole(admin, admin, 'viewer')).rejects.toMatchObject({ code: 'invalid_request' });
    const own = { member_user_id: idpIdOf(test.data, admin), role: 'viewer' as const };
    await expect(test.call('set_member_role', own, admin)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(test.call('remove_member', own, admin)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it.each(['nobody', '..', '../../etc/passwd', '%2e%2e', "' OR 1=1 --", '\u0000', UNKNOWN])(
    'rejects the member %j',
    async (id) => {
      const call = test.call('set_member_role', { member_user_id: id, role: 'viewer' }, admin);
      await expect(call).rejects.toMatchObject({ code: 'not_found' });
    },
  );

  it('adds members by either id, and removes them with their access', async () => {
    const joining = await account(null);
    const idpId = idpIdOf(test.data, joining);
    expect(await test.call('add_member', { user_id: idpId, role: 'editor' }, admin)).toMatchObject({
      user_id: joining.user_id,
      username: joining.username,
      role: 'editor',
    });
    const twice = test.call('add_member', { user_id: joining.user_id, role: 'viewer' }, admin);
    await expect(twice).rejects.toMatchObject({ code: 'conflict' });
    await expect(test.call('add_member', { user_id: UNKNOWN, role: 'viewer' }, admin)).rejects.toMatchObject({
      code: 'not_found',
    });
    const dataset = await draftOf(again(joining));
    expect(await test.call('remove_member', { member_user_id: idpId }, admin)).toEqual({
      message: expect.stringContaining(joining.username),
    });
    await expect(test.call('get_dataset', { dataset_id: dataset }, again(joining))).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await test.call('get_dataset', { dataset_id: dataset }, admin)).toMatchObject({ owned_by: 'ME' });
  });
});

describe('several workspaces', () => {
  let admin: Principal & { username: string };

  beforeAll(async () => {
    test = await createTestCore({ environment: { ...WITH_ACCOUNTS, SINGLE_WORKSPACE_MODE: 'false' }, finished: atEnd });
    admin = await account('admin');
  });

  it('may have several admins, and only those of the first workspace manage users', async () => {
    const { id } = await test.call('create_workspace', { name: 'second' }, admin);
    const other = await account(null);
    await test.call('add_member', { user_id: other.user_id, role: 'admin', workspace_id: id }, admin);
    expect(again(other)).toMatchObject({ workspace_id: id, role: 'admin', realm_roles: [] });
    await expect(test.call('list_users', {}, again(other))).rejects.toMatchObject({ code: 'forbidden' });
    expect((await test.call('list_members', { workspace_id: id }, admin)).members).toMatchObject([
      { user_id: admin.user_id, role: 'admin' },
      { user_id: other.user_id, role: 'admin' },
    ]);
    // Operations on the whole service require a role in the first workspace.
    await expect(test.call('create_workspace', { name: 'third' }, again(other))).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(test.call('list_devices', {}, again(other))).resolves.toBeDefined();
    await expect(test.call('list_backups', {}, again(other))).rejects.toMatchObject({ code: 'forbidden' });
  });

  it.each([
    ['demote', (by: Principal, of: Principal) => setRole(by, of, 'viewer')],
    ['take out', (by: Principal, of: Principal) => test.call('remove_member', { member_user_id: of.user_id }, by)],
    [
      'disable',
      (by: Principal, of: Principal) => test.call('update_user', { user_id: of.user_id, enabled: false }, by),
    ],
    ['delete', (by: Principal, of: Principal) => test.call('delete_user', { user_id: of.user_id }, by)],
  ])('keep an admin when two admins %s each other at once', async (_, change) => {
    const two = [await account('admin'), await account('admin')] as const;
    const outcomes = await Promise.allSettled([change(...two), change(two[1], two[0])]);
    expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'forbidden' } }]);
    expect((await rolesNow(admin)).get(two[0].user_id)).toBe('admin');
  });

  it('keep one role of a member after two simultaneous changes', async () => {
    const [other, member] = [await account('admin'), await account('viewer')];
    await Promise.all([setRole(admin, member, 'admin'), setRole(other, member, 'viewer')]);
    expect((await rolesNow(admin)).get(member.user_id)).toBe('viewer');
    expect(again(member)).toMatchObject({ role: 'viewer', realm_roles: [] });
  });

  it('add members by exact username or address for admins who may not list users', async () => {
    const { id } = await test.call('create_workspace', { name: 'by name' }, admin);
    const [other, byName, byAddress] = [await account(null), await account(null), await account('viewer')];
    await test.call('add_member', { user_id: other.user_id, role: 'admin', workspace_id: id }, admin);
    const add = (fields: { user_id?: string; username?: string }) =>
      test.call('add_member', { ...fields, role: 'viewer', workspace_id: id }, again(other));
    expect(await add({ username: ` ${byName.username.toUpperCase()} ` })).toMatchObject({ user_id: byName.user_id });
    expect(await add({ username: byAddress.email })).toMatchObject({ user_id: byAddress.user_id });
    await expect(add({ username: byName.username })).rejects.toMatchObject({ code: 'conflict' });
    await expect(add({ username: byName.username.slice(0, -1) })).rejects.toMatchObject({ code: 'not_found' });
    await expect(add({ username: `${byName.username}%` })).rejects.toMatchObject({ code: 'not_found' });
    const local = test.core.localOwner();
    for (const named of [{ username: local.email }, { user_id: local.user_id }]) {
      await expect(add(named)).rejects.toMatchObject({ code: 'not_found' });
    }
    for (const named of [{}, { username: byName.username, user_id: byName.user_id }]) {
      await expect(add(named)).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  it('receive new datasets of members who may create them', async () => {
    const [own, named] = [
      await test.call('create_workspace', { name: 'own' }, admin),
      await test.call('create_workspace', { name: 'named' }, admin),
    ];
    const writer = await account('viewer');
    const joins = (workspaceId: string, role: WorkspaceRole) =>
      test.call('add_member', { user_id: writer.user_id, role, workspace_id: workspaceId }, admin);
    const draftIn = (workspaceId?: string) =>
      test.call('new_dataset', { dataset_name: 'placed', workspace_id: workspaceId }, again(writer));
    const isSeenBy = async (principal: Principal, dataset: { dataset_id: string }) =>
      (await test.call('list_datasets', {}, principal)).some(({ id }) => id === dataset.dataset_id);
    const mayCreate = async () => (await test.call('get_account', {}, again(writer))).may_create_datasets;

    expect(await mayCreate()).toBe(false);
    await expect(draftIn()).rejects.toMatchObject({ code: 'forbidden' });
    await joins(own.id, 'editor');
    await joins(named.id, 'editor');
    expect(await mayCreate()).toBe(true);

    const [ofOwn, ofNamed] = [await account(null), await account(null)];
    await test.call('add_member', { user_id: ofOwn.user_id, role: 'viewer', workspace_id: own.id }, admin);
    await test.call('add_member', { user_id: ofNamed.user_id, role: 'viewer', workspace_id: named.id }, admin);
    // The user is only a viewer in the first workspace, so a request without a workspace uses the next one that they joined.
    const unnamed = await draftIn();
    expect([await isSeenBy(ofOwn, unnamed), await isSeenBy(ofNamed, unnamed)]).toEqual([true, false]);
    const placed = await draftIn(named.id);
    expect([await isSeenBy(ofOwn, placed), await isSeenBy(ofNamed, placed)]).toEqual([false, true]);

    const { workspaces } = await test.call('list_workspaces', {}, again(writer));
    const first = workspaces.find(({ name }) => name === 'Default');
    await expect(draftIn(first?.id)).rejects.toMatchObject({ code: 'forbidden' });
    const foreign = await test.call('create_workspace', { name: 'foreign' }, admin);
    for (const id of [foreign.id, UNKNOWN]) await expect(draftIn(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('receive new datasets in the oldest of the workspaces joined at the same moment', async () => {
    const at = systemClock.now();
    const clock = { ...systemClock, now: () => at, iso: () => new Date(at).toISOString() };
    const environment = { ...WITH_ACCOUNTS, SINGLE_WORKSPACE_MODE: 'false' };
    const stopped = await createTestCore({ environment, clock });
    const by = await addMember(stopped.data, 'by', 'admin');
    const writer = await addMember(stopped.data, 'writer', null);
    const ids: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      const { id } = await stopped.call('create_workspace', { name: `workspace ${n}` }, by);
      ids.push(id);
    }
    for (const workspaceId of ids.toReversed()) {
      await stopped.call('add_member', { user_id: writer.user_id, role: 'editor', workspace_id: workspaceId }, by);
    }
    const seer = await addMember(stopped.data, 'seer', null);
    await stopped.call('add_member', { user_id: seer.user_id, role: 'viewer', workspace_id: ids[0] }, by);
    const { dataset_id } = await stopped.call('new_dataset', { dataset_name: 'placed' }, writer);
    expect((await stopped.call('list_datasets', {}, seer)).map(({ id }) => id)).toEqual([dataset_id]);
  });

  it('keep their datasets apart', async () => {
    const { id } = await test.call('create_workspace', { name: 'apart' }, admin);
    const other = await account(null);
    await test.call('add_member', { user_id: other.user_id, role: 'editor', workspace_id: id }, admin);
    const [mine, theirs] = [await draftOf(admin), await draftOf(again(other))];
    const listed = (await test.call('list_datasets', {}, again(other))).map(({ id: one }) => one);
    expect(listed).toEqual([theirs]);
    await expect(test.call('get_dataset', { dataset_id: mine }, again(other))).rejects.toMatchObject({
      code: 'not_found',
    });
    // The administrator created that workspace.
    expect(await test.call('get_dataset', { dataset_id: theirs }, admin)).toMatchObject({ my_role: 'owner' });
  });
});

it('show only the local owner while authentication is off', async () => {
  const { call, core } = await createTestCore();
  const { user_id, email } = core.localOwner();
  expect((await call('list_members', {})).members).toMatchObject([{ user_id, email, role: 'admin' }]);
  expect(await call('get_settings_access', {})).toEqual({ can_access: true, can_manage: true, role: 'admin' });
  const own = call('set_member_role', { member_user_id: user_id, role: 'viewer' });
  await expect(own).rejects.toMatchObject({ code: 'invalid_request' });
});
