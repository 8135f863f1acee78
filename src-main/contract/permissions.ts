/**
 * Permissions, each with its subject. Operations declare one; core/access enforces it. `dataset` permissions are checked against the
 * dataset `dataset_id`, `image` against the dataset of `image_id`, `task` against the dataset of `task_id`, `workspace` against
 * `workspace_id` (default: the caller's own workspace), and `service` against the service as a whole.
 */
export const PERMISSION_SCOPES = {
  public: 'service',
  signed_url: 'service',
  /** Signed-in callers, even before they changed a temporary password. */
  self: 'service',
  account: 'service',
  'datasets:list': 'service',
  'users:view': 'service',
  'users:manage': 'service',
  'workspaces:create': 'service',
  'settings:manage': 'service',
  'workspace:view': 'workspace',
  'workspace:manage': 'workspace',
  'datasets:create': 'workspace',
  'dataset:view': 'dataset',
  'dataset:edit': 'dataset',
  'dataset:export': 'dataset',
  'dataset:own': 'dataset',
  'image:view': 'image',
  'task:control': 'task',
} as const;

/** Need no authentication: a signed URL is itself the permission. */
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
export type WorkspacePermission = PermissionAbout<'workspace'>;
export type DatasetPermission = PermissionAbout<'dataset'>;

/** Roles of interface section 2: admins manage, editors change, viewers look. */
export const WORKSPACE_ROLES = ['admin', 'editor', 'viewer'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** Realm roles, which grant access to the user API (interface section 2). */
export const REALM_ROLES = ['manage-users', 'view-users', 'query-users', 'query-groups'] as const;
export type RealmRole = (typeof REALM_ROLES)[number];

/** Roles on one dataset. */
export const DATASET_ROLES = ['owner', 'editor', 'viewer'] as const;
export type DatasetRole = (typeof DATASET_ROLES)[number];

/** Permissions of every account, even without a workspace. */
export const SIGNED_IN: readonly ServicePermission[] = ['self', 'account', 'datasets:list'];

/** Further permissions by the role in the caller's workspace. */
export const WORKSPACE_RULES: Readonly<Record<WorkspaceRole, readonly ServicePermission[]>> = {
  admin: ['workspaces:create', 'settings:manage'],
  editor: [],
  viewer: [],
};

/** Permissions on the service: only roles in the primary workspace grant them. */
export const OF_PRIMARY_WORKSPACE: readonly ServicePermission[] = ['workspaces:create', 'settings:manage'];

/** Permissions of realm roles, if user management is enabled. */
export const REALM_RULES: Readonly<Record<RealmRole, readonly ServicePermission[]>> = {
  'manage-users': ['users:manage'],
  'view-users': ['users:view'],
  'query-users': [],
  'query-groups': [],
};

/** Permissions of workspace roles within the workspace. */
export const MEMBER_RULES: Readonly<Record<WorkspaceRole, readonly WorkspacePermission[]>> = {
  admin: ['workspace:view', 'workspace:manage', 'datasets:create'],
  editor: ['workspace:view', 'datasets:create'],
  viewer: ['workspace:view'],
};

/** Permissions of dataset roles. */
export const DATASET_RULES: Readonly<Record<DatasetRole, readonly DatasetPermission[]>> = {
  owner: ['dataset:view', 'dataset:edit', 'dataset:export', 'dataset:own'],
  editor: ['dataset:view', 'dataset:edit', 'dataset:export'],
  viewer: ['dataset:view'],
};

/** Dataset role of the admins, editors and viewers of the dataset's workspace. */
export const DATASET_ROLE_OF: Readonly<Record<WorkspaceRole, DatasetRole>> = {
  admin: 'owner',
  editor: 'editor',
  viewer: 'viewer',
};

/** Switches of interface section 4.15 that turn operations off. */
export const FEATURE_FLAGS = [
  'ADD_MEDIA_ENABLED',
  'DELETE_DATASET_ENABLED',
  'DATASET_SHARE_ENABLED',
  'DATASET_SNAPSHOTS_ENABLED',
] as const;
export type FeatureFlag = (typeof FEATURE_FLAGS)[number];
