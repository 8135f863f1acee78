/**
 * What a caller must be allowed to do, each with what the permission is about. Declared on each operation and enforced in one place
 * (core/access). `dataset` permissions are checked against the dataset that `dataset_id` names, `image` against the dataset that has
 * `image_id`, `task` against the dataset of `task_id`, `service` against the service as a whole.
 */
export const PERMISSION_SCOPES = {
  public: 'service',
  signed_url: 'service',
  /** Of who is signed in, even before a temporary password was changed. */
  self: 'service',
  account: 'service',
  'datasets:create': 'service',
  'datasets:list': 'service',
  'users:view': 'service',
  'users:manage': 'service',
  'workspace:view': 'service',
  'workspace:manage': 'service',
  'settings:manage': 'service',
  'dataset:view': 'dataset',
  'dataset:edit': 'dataset',
  'dataset:own': 'dataset',
  'image:view': 'image',
  'task:control': 'task',
} as const;

/** Anybody may do these, and nobody is asked who they are: a signed URL is a permission of its own. */
const FOR_ANYONE: readonly Permission[] = ['public', 'signed_url'];

export function isForAnyone(permission: Permission): boolean {
  return FOR_ANYONE.includes(permission);
}

export type Permission = keyof typeof PERMISSION_SCOPES;
export type PermissionScope = (typeof PERMISSION_SCOPES)[Permission];

type PermissionAbout<Scope extends PermissionScope> = {
  [P in Permission]: (typeof PERMISSION_SCOPES)[P] extends Scope ? P : never;
}[Permission];

export type ServicePermission = PermissionAbout<'service'>;
export type DatasetPermission = PermissionAbout<'dataset'>;

/** Roles of interface section 2: admins manage, editors change, viewers look. */
export const WORKSPACE_ROLES = ['admin', 'editor', 'viewer'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** Roles of the identity provider that gate the user API (interface section 2). */
export const REALM_ROLES = ['manage-users', 'view-users', 'query-users', 'query-groups'] as const;
export type RealmRole = (typeof REALM_ROLES)[number];

/** Roles on one dataset. */
export const DATASET_ROLES = ['owner', 'viewer'] as const;
export type DatasetRole = (typeof DATASET_ROLES)[number];

/** Switches of interface section 4.15 that turn operations off. */
export const FEATURE_FLAGS = [
  'ADD_MEDIA_ENABLED',
  'DELETE_DATASET_ENABLED',
  'DATASET_SHARE_ENABLED',
  'DATASET_SNAPSHOTS_ENABLED',
] as const;
export type FeatureFlag = (typeof FEATURE_FLAGS)[number];
