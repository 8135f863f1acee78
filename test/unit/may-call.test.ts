import { describe, expect, it } from 'vitest';
import { operations } from '../../src-main/contract/contract.ts';
import { mayCall, type Rights } from '../../src-renderer/lib/may-call.ts';

const ALL_ON = {
  ADD_MEDIA_ENABLED: true,
  DELETE_DATASET_ENABLED: true,
  DATASET_SHARE_ENABLED: true,
  DATASET_SNAPSHOTS_ENABLED: true,
};
const ACCOUNT: Rights = {
  role: 'viewer',
  realm_roles: [],
  is_local_owner: false,
  user_management: true,
  features: ALL_ON,
};
const LOCAL_OWNER: Rights = { ...ACCOUNT, role: 'admin', is_local_owner: true, user_management: false };
const VIEWER: Rights = ACCOUNT;
const OWN = { my_role: 'owner' } as const;
const EDITED = { my_role: 'editor' } as const;
const SHARED = { my_role: 'viewer' } as const;

describe('what a page offers', () => {
  it('is all to the owner of a desktop', () => {
    expect(mayCall(LOCAL_OWNER, operations.create_dataset)).toBe(true);
    expect(mayCall(LOCAL_OWNER, operations.delete_dataset, OWN)).toBe(true);
    expect(mayCall(LOCAL_OWNER, operations.import_models)).toBe(true);
  });

  it('is looking to a viewer', () => {
    expect(mayCall(VIEWER, operations.explore, SHARED)).toBe(true);
    for (const id of ['edit_tags', 'export_dataset_async', 'invite', 'delete_dataset', 'abort_task'] as const) {
      expect([id, mayCall(VIEWER, operations[id], SHARED)]).toEqual([id, false]);
    }
    expect(mayCall(VIEWER, operations.create_dataset)).toBe(false);
    expect(mayCall({ ...VIEWER, role: 'editor' }, operations.create_dataset)).toBe(true);
    expect(mayCall({ ...VIEWER, role: 'editor' }, operations.import_models)).toBe(false);
  });

  it('is nothing of a feature that is off', () => {
    const off = { ...LOCAL_OWNER, features: { ...ALL_ON, DATASET_SHARE_ENABLED: false } };
    expect(mayCall(off, operations.invite, OWN)).toBe(false);
  });

  it('goes by whose the dataset is, not only by the role in the workspace', () => {
    expect(mayCall(VIEWER, operations.delete_dataset, OWN)).toBe(true);
    expect(mayCall({ ...VIEWER, role: 'editor' }, operations.edit_tags, SHARED)).toBe(false);
    expect(mayCall(VIEWER, operations.export_dataset_async, EDITED)).toBe(true);
    expect(mayCall(VIEWER, operations.invite, EDITED)).toBe(false);
  });

  it('is users to who has the realm role, where they are managed', () => {
    expect(mayCall({ ...VIEWER, role: 'admin' }, operations.list_users)).toBe(false);
    const manager: Rights = { ...VIEWER, realm_roles: ['manage-users'] };
    expect(mayCall(manager, operations.create_user)).toBe(true);
    expect(mayCall(manager, operations.list_users)).toBe(false);
    expect(mayCall({ ...manager, user_management: false }, operations.create_user)).toBe(false);
  });
});
