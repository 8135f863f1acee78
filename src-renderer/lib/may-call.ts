import type { OperationSpec } from '../../src-main/contract/operation.ts';
import {
  DATASET_RULES,
  MEMBER_RULES,
  OF_PRIMARY_WORKSPACE,
  type Permission,
  REALM_RULES,
  SIGNED_IN,
  WORKSPACE_RULES,
} from '../../src-main/contract/permissions.ts';
import type { Account } from '../../src-main/contract/schemas/account.ts';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';

export type Rights = Pick<
  Account,
  | 'role'
  | 'may_create_datasets'
  | 'in_primary_workspace'
  | 'realm_roles'
  | 'is_local_owner'
  | 'user_management'
  | 'features'
>;

/** A user's relation to a dataset. */
export type RoleOn = Pick<Dataset, 'my_role'>;

/**
 * Whether the core would allow a user to call an operation, by the same tables. The core decides in the end.
 *
 * @param on The dataset of the call, if any.
 */
export function mayCall(
  account: Rights,
  { permission, feature }: Pick<OperationSpec, 'permission' | 'feature'>,
  on?: RoleOn,
): boolean {
  if (feature !== undefined && !account.features[feature]) return false;
  if (permission.startsWith('dataset:')) return on !== undefined && allows(DATASET_RULES[on.my_role], permission);
  if (permission === 'task:control') return on !== undefined && allows(DATASET_RULES[on.my_role], 'dataset:edit');
  if (permission === 'image:view') return true;
  if (permission.startsWith('users:')) {
    return account.user_management && account.realm_roles.some((role) => allows(REALM_RULES[role], permission));
  }
  if (permission === 'datasets:create') return account.may_create_datasets;
  if (permission.startsWith('workspace') && !account.user_management) return false;
  if (account.is_local_owner || allows(SIGNED_IN, permission)) return true;
  if (account.role === null) return false;
  if (allows(OF_PRIMARY_WORKSPACE, permission) && !account.in_primary_workspace) return false;
  return allows(WORKSPACE_RULES[account.role], permission) || allows(MEMBER_RULES[account.role], permission);
}

function allows(permissions: readonly Permission[], required: Permission): boolean {
  return permissions.includes(required);
}
