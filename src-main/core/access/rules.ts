import { AppError } from '../../contract/errors.ts';
import type { DatasetPermission, DatasetRole, ServicePermission, WorkspaceRole } from '../../contract/permissions.ts';
import type { Principal } from '../core.ts';

/** What each role in the workspace may do. */
const WORKSPACE_RULES = {
  admin: [
    'account',
    'datasets:list',
    'datasets:create',
    'workspace:view',
    'workspace:manage',
    'users:view',
    'users:manage',
    'settings:manage',
  ],
  editor: ['account', 'datasets:list', 'datasets:create', 'workspace:view'],
  viewer: ['account', 'datasets:list', 'workspace:view'],
} as const satisfies Record<WorkspaceRole, readonly ServicePermission[]>;

/** What each role on a dataset may do. */
const DATASET_RULES = {
  owner: ['dataset:view', 'dataset:edit', 'dataset:own'],
  viewer: ['dataset:view'],
} as const satisfies Record<DatasetRole, readonly DatasetPermission[]>;

/** Anybody may do these: a signed URL is a permission of its own. */
const ANYONE: readonly ServicePermission[] = ['public', 'signed_url'];

export function mayInService(principal: Principal, permission: ServicePermission): boolean {
  const allowed: readonly ServicePermission[] = WORKSPACE_RULES[principal.role];
  return ANYONE.includes(permission) || allowed.includes(permission);
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
