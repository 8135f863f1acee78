import { describe, expect, it } from 'vitest';
import { operations } from '../../src-main/contract/contract.ts';
import { mayCall, type Rights } from '../../src-renderer/lib/may-call.ts';

const LOCAL_OWNER: Rights = {
  role: 'admin',
  may_create_datasets: true,
  in_primary_workspace: true,
  realm_roles: [],
  is_local_owner: true,
  user_management: false,
  features: {
    ADD_MEDIA_ENABLED: true,
    DELETE_DATASET_ENABLED: true,
    DATASET_SHARE_ENABLED: true,
    DATASET_SNAPSHOTS_ENABLED: true,
  },
};
const VIEWER: Rights = {
  ...LOCAL_OWNER,
  role: 'viewer',
  may_create_datasets: false,
  is_local_owner: false,
  user_management: true,
};
const EDITOR: Rights = { ...VIEWER, role: 'editor', may_create_datasets: true };
const ADMIN: Rights = { ...EDITOR, role: 'admin', realm_roles: ['manage-users', 'view-users'] };

describe('the operations that a page offers', () => {
  it('are all except users for the owner of a desktop', () => {
    expect(mayCall(LOCAL_OWNER, operations.create_dataset)).toBe(true);
    expect(mayCall(LOCAL_OWNER, operations.delete_dataset, { my_role: 'owner' })).toBe(true);
    expect(mayCall(LOCAL_OWNER, operations.list_settings)).toBe(true);
    expect(mayCall(LOCAL_OWNER, operations.list_users)).toBe(false);
    expect(mayCall(LOCAL_OWNER, operations.list_members)).toBe(false);
  });

  it('are reads for a viewer, in every feature', () => {
    const on = { my_role: 'viewer' } as const;
    expect(mayCall(VIEWER, operations.explore, on)).toBe(true);
    for (const id of ['edit_tags', 'export_dataset_async', 'invite', 'delete_dataset', 'abort_task'] as const) {
      expect([id, mayCall(VIEWER, operations[id], on)]).toEqual([id, false]);
    }
    expect(mayCall(VIEWER, operations.create_dataset)).toBe(false);
  });

  it('depend on the role on the dataset, not only in the workspace', () => {
    expect(mayCall(VIEWER, operations.delete_dataset, { my_role: 'owner' })).toBe(true);
    expect(mayCall(EDITOR, operations.edit_tags, { my_role: 'viewer' })).toBe(false);
    expect(mayCall(EDITOR, operations.export_dataset_async, { my_role: 'editor' })).toBe(true);
    expect(mayCall(EDITOR, operations.invite, { my_role: 'editor' })).toBe(false);
  });

  it('include users with the realm role, and settings for admins', () => {
    expect(mayCall(ADMIN, operations.create_user)).toBe(true);
    expect(mayCall({ ...ADMIN, realm_roles: ['view-users'] }, operations.create_user)).toBe(false);
    expect(mayCall({ ...ADMIN, realm_roles: ['view-users'] }, operations.list_users)).toBe(true);
    expect(mayCall(ADMIN, operations.list_settings)).toBe(true);
    expect(mayCall(EDITOR, operations.list_settings)).toBe(false);
    expect(mayCall(EDITOR, operations.list_members)).toBe(true);
    const elsewhere = { ...ADMIN, in_primary_workspace: false };
    expect(mayCall(elsewhere, operations.list_settings)).toBe(false);
    expect(mayCall(elsewhere, operations.create_workspace)).toBe(false);
    expect(mayCall(elsewhere, operations.create_dataset)).toBe(true);
    // The user's own workspace is not the only one in which they may create datasets.
    expect(mayCall({ ...VIEWER, may_create_datasets: true }, operations.new_dataset)).toBe(true);
  });

  it('include none of a disabled feature', () => {
    const off = { ...LOCAL_OWNER, features: { ...LOCAL_OWNER.features, DATASET_SHARE_ENABLED: false } };
    expect(mayCall(off, operations.invite, { my_role: 'owner' })).toBe(false);
  });
});
