import type { OperationSpec } from '../../src-main/contract/operation.ts';
import {
  DATASET_RULES,
  isForAnyone,
  MEMBER_RULES,
  type Permission,
  REALM_RULES,
  SIGNED_IN,
  WORKSPACE_RULES,
} from '../../src-main/contract/permissions.ts';
import type { Account } from '../../src-main/contract/schemas/account.ts';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';

export type Rights = Pick<Account, 'role' | 'realm_roles' | 'is_local_owner' | 'user_management' | 'features'>;

/** What somebody is to a dataset. */
export type RoleOn = Pick<Dataset, 'my_role'>;

/**
 * Whether the core would let somebody call an operation. It has the last word.
 *
 * @param on The dataset that the call is about, where it is about one.
 */
export function mayCall(
  account: Rights,
  { permission, feature }: Pick<OperationSpec, 'permission' | 'feature'>,
  on?: RoleOn,
): boolean {
  if (feature !== undefined && !account.features[feature]) return false;
  const includes = (allowed: readonly Permission[]) => allowed.includes(permission);
  if (permission === 'task:control') return on !== undefined && DATASET_RULES[on.my_role].includes('dataset:edit');
  if (permission.startsWith('dataset:')) return on !== undefined && includes(DATASET_RULES[on.my_role]);
  if (permission.startsWith('users:')) {
    return account.user_management && account.realm_roles.some((role) => includes(REALM_RULES[role]));
  }
  if (account.is_local_owner || permission === 'image:view' || isForAnyone(permission)) return true;
  if (includes(SIGNED_IN)) return true;
  return account.role !== null && (includes(WORKSPACE_RULES[account.role]) || includes(MEMBER_RULES[account.role]));
}
