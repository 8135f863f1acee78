import { AppError } from '../../contract/errors.ts';
import {
  type DatasetPermission,
  type DatasetRole,
  isForAnyone,
  type Permission,
  type ServicePermission,
  type WorkspaceRole,
} from '../../contract/permissions.ts';
import { ANONYMOUS, type Principal } from '../core.ts';

/** What each role in the workspace may do. */
const WORKSPACE_RULES = {
  admin: [
    'datasets:list',
    'datasets:create',
    'workspace:view',
    'workspace:manage',
    'users:view',
    'users:manage',
    'settings:manage',
  ],
  editor: ['datasets:list', 'datasets:create', 'workspace:view'],
  viewer: ['datasets:list', 'workspace:view'],
} as const satisfies Record<WorkspaceRole, readonly ServicePermission[]>;

/** What each role on a dataset may do. */
const DATASET_RULES = {
  owner: ['dataset:view', 'dataset:edit', 'dataset:own'],
  viewer: ['dataset:view'],
} as const satisfies Record<DatasetRole, readonly DatasetPermission[]>;

/** Whoever is signed in may do these. */
const SIGNED_IN: readonly ServicePermission[] = ['self', 'account'];

export function mayInService(principal: Principal, permission: ServicePermission): boolean {
  if (isForAnyone(permission)) return true;
  if (principal === ANONYMOUS) return false;
  const allowed: readonly ServicePermission[] = principal.role === null ? [] : WORKSPACE_RULES[principal.role];
  return SIGNED_IN.includes(permission) || allowed.includes(permission);
}

/** @throws AppError `forbidden` to who has to change a password that somebody else set, unless the permission is what that takes. */
export function assertPasswordIsOwn(principal: Principal, permission: Permission): void {
  if (principal.must_change_password && permission !== 'self' && !isForAnyone(permission)) {
    throw new AppError('forbidden', 'Change your password first');
  }
}

/** @throws AppError `forbidden`. */
export function assertMayInService(principal: Principal, permission: ServicePermission): void {
  if (!mayInService(principal, permission)) throw new AppError('forbidden', 'You are not allowed to do this');
}

/**
 * @param role What somebody is to the dataset; undefined hides it from them.
 * @throws AppError `not_found` to those who may not see the dataset, `forbidden` to those who may see it but not do this.
 */
export function assertMayOnDataset(role: DatasetRole | undefined, permission: DatasetPermission): void {
  if (!role) throw new AppError('not_found', 'Dataset not found');
  const allowed: readonly DatasetPermission[] = DATASET_RULES[role];
  if (!allowed.includes(permission)) {
    throw new AppError('forbidden', 'You may look at this dataset, but not change it');
  }
}
