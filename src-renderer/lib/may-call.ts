import type { OperationSpec } from '../../src-main/contract/operation.ts';
import type { DatasetRole, Permission, WorkspaceRole } from '../../src-main/contract/permissions.ts';
import type { Account } from '../../src-main/contract/schemas/account.ts';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';

export type Rights = Pick<Account, 'email' | 'role' | 'is_local_owner' | 'features'>;

/** Whose a dataset is. */
export type OwnedBy = Pick<Dataset, 'owned_by'>;

const IN_SERVICE: Record<WorkspaceRole, readonly Permission[]> = {
  admin: ['datasets:create', 'workspace:manage', 'settings:manage'],
  editor: ['datasets:create'],
  viewer: [],
};
const ON_DATASET: Record<DatasetRole, readonly Permission[]> = {
  owner: ['dataset:view', 'dataset:edit', 'dataset:own', 'task:control'],
  viewer: ['dataset:view'],
};
const FOR_ALL: readonly Permission[] = ['self', 'account', 'datasets:list', 'workspace:view', 'image:view'];

/**
 * Whether the core would let somebody call an operation. It has the last word.
 *
 * @param on The dataset that the call is about, where it is about one.
 */
export function mayCall(
  account: Rights,
  { permission, feature }: Pick<OperationSpec, 'permission' | 'feature'>,
  on?: OwnedBy,
): boolean {
  if (feature !== undefined && !account.features[feature]) return false;
  if (permission.startsWith('dataset:') || permission === 'task:control') {
    if (on === undefined) return false;
    const role = account.is_local_owner || on.owned_by === account.email ? 'owner' : 'viewer';
    return ON_DATASET[role].includes(permission);
  }
  if (account.is_local_owner || FOR_ALL.includes(permission)) return true;
  return account.role !== null && IN_SERVICE[account.role].includes(permission);
}
