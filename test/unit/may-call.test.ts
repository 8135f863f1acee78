import { describe, expect, it } from 'vitest';
import { operations } from '../../src-main/contract/contract.ts';
import { mayCall, type Rights } from '../../src-renderer/lib/may-call.ts';

const ALL_ON = {
  ADD_MEDIA_ENABLED: true,
  DELETE_DATASET_ENABLED: true,
  DATASET_SHARE_ENABLED: true,
  DATASET_SNAPSHOTS_ENABLED: true,
};
const LOCAL_OWNER: Rights = { email: 'owner@localhost', role: 'admin', is_local_owner: true, features: ALL_ON };
const VIEWER: Rights = { email: 'vera@example.org', role: 'viewer', is_local_owner: false, features: ALL_ON };
const OWN = { owned_by: 'vera@example.org' };
const SHARED = { owned_by: 'ada@example.org' };

describe('what a page offers', () => {
  it('is all to the owner of a desktop', () => {
    expect(mayCall(LOCAL_OWNER, operations.create_dataset)).toBe(true);
    expect(mayCall(LOCAL_OWNER, operations.delete_dataset, SHARED)).toBe(true);
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
  });
});
