import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import {
  DATASET_RULES,
  type DatasetPermission,
  type DatasetRole,
  isForAnyone,
  MEMBER_RULES,
  OF_PRIMARY_WORKSPACE,
  type Permission,
  REALM_RULES,
  type ServicePermission,
  SIGNED_IN,
  WORKSPACE_RULES,
  type WorkspacePermission,
  type WorkspaceRole,
} from '../../contract/permissions.ts';
import { ANONYMOUS, type Principal } from '../core.ts';

export function mayInService(principal: Principal, permission: ServicePermission): boolean {
  if (isForAnyone(permission)) return true;
  if (principal === ANONYMOUS) return false;
  if (principal.is_local_owner || SIGNED_IN.includes(permission)) return true;
  if (principal.realm_roles.some((role) => REALM_RULES[role].includes(permission))) return true;
  if (OF_PRIMARY_WORKSPACE.includes(permission) && !principal.in_primary_workspace) return false;
  return principal.role !== null && WORKSPACE_RULES[principal.role].includes(permission);
}

/**
 * @throws AppError `forbidden` if the caller must first change a password that another user set, unless the permission is needed for that.
 */
export function assertPasswordIsOwn(principal: Principal, permission: Permission): void {
  if (principal.must_change_password && permission !== 'self' && !isForAnyone(permission)) {
    throw new AppError('forbidden', message('password_change_required'));
  }
}

/** @throws AppError `forbidden` if the caller lacks the permission. */
export function assertMayInService(principal: Principal, permission: ServicePermission): void {
  if (!mayInService(principal, permission)) throw new AppError('forbidden', message('not_allowed'));
}

/**
 * @param role The user's role in the workspace; undefined hides the workspace.
 * @throws AppError `not_found` to a user who is no member, `forbidden` to a member without the permission.
 */
export function assertMayInWorkspace(
  role: WorkspaceRole | undefined,
  permission: WorkspacePermission,
): asserts role is WorkspaceRole {
  if (!role) throw new AppError('not_found', message('workspace_not_found'));
  if (!MEMBER_RULES[role].includes(permission)) {
    const isCreation = permission === 'datasets:create';
    throw new AppError('forbidden', message(isCreation ? 'creating_datasets_not_allowed' : 'not_workspace_admin'));
  }
}

/** @param role The user's role on the dataset; undefined if none. */
export function mayOnDataset(role: DatasetRole | undefined, permission: DatasetPermission): boolean {
  return role !== undefined && DATASET_RULES[role].includes(permission);
}

/**
 * @param role The user's role on the dataset; undefined hides the dataset.
 * @throws AppError `not_found` to users who may not see the dataset, `forbidden` to users who may see it but lack the permission.
 */
export function assertMayOnDataset(role: DatasetRole | undefined, permission: DatasetPermission): void {
  if (!role) throw new AppError('not_found', message('dataset_not_found'));
  if (mayOnDataset(role, permission)) return;
  throw new AppError('forbidden', message(role === 'editor' ? 'dataset_editor_only' : 'dataset_viewer_only'));
}
