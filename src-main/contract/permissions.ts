/**
 * What a caller must be allowed to do, each with what the permission is about. Declared on each operation and enforced in one place
 * (core/access). `dataset` permissions are checked against the dataset that `dataset_id` names, `image` against the dataset that has
 * `image_id`, `task` against the dataset of `task_id`, `workspace` against the one that `workspace_id` names, or the caller's own where
 * that is left out, and `service` against the service as a whole.
 */
export const PERMISSION_SCOPES = {
  public: 'service',
  signed_url: 'service',
  /** Of who is signed in, even before a temporary password was changed. */
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
export type WorkspacePermission = PermissionAbout<'workspace'>;
export type DatasetPermission = PermissionAbout<'dataset'>;

/** Roles of interface section 2: admins manage, editors change, viewers look. */
export const WORKSPACE_ROLES = ['admin', 'editor', 'viewer'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** Roles of the identity provider, which open the user API (interface section 2). */
export const REALM_ROLES = ['manage-users', 'view-users', 'query-users', 'query-groups'] as const;
export type RealmRole = (typeof REALM_ROLES)[number];

/** Roles on one dataset. */
export const DATASET_ROLES = ['owner', 'editor', 'viewer'] as const;
export type DatasetRole = (typeof DATASET_ROLES)[number];

/** What every account may do, also one that is in no workspace. */
export const SIGNED_IN: readonly ServicePermission[] = ['self', 'account', 'datasets:list'];

/** What a role in the caller's workspace allows beyond that. */
export const WORKSPACE_RULES: Readonly<Record<WorkspaceRole, readonly ServicePermission[]>> = {
  admin: ['workspaces:create', 'settings:manage'],
  editor: [],
  viewer: [],
};

/** What is about the whole service: a role in another workspace than the primary one does not allow it. */
export const OF_PRIMARY_WORKSPACE: readonly ServicePermission[] = ['workspaces:create', 'settings:manage'];

/** What a realm role allows, where users are managed at all. */
export const REALM_RULES: Readonly<Record<RealmRole, readonly ServicePermission[]>> = {
  'manage-users': ['users:manage'],
  'view-users': ['users:view'],
  'query-users': [],
  'query-groups': [],
};

/** What a role in a workspace allows within it. */
export const MEMBER_RULES: Readonly<Record<WorkspaceRole, readonly WorkspacePermission[]>> = {
  admin: ['workspace:view', 'workspace:manage', 'datasets:create'],
  editor: ['workspace:view', 'datasets:create'],
  viewer: ['workspace:view'],
};

/** What a role on a dataset allows. */
export const DATASET_RULES: Readonly<Record<DatasetRole, readonly DatasetPermission[]>> = {
  owner: ['dataset:view', 'dataset:edit', 'dataset:export', 'dataset:own'],
  editor: ['dataset:view', 'dataset:edit', 'dataset:export'],
  viewer: ['dataset:view'],
};

/** What the admins of a dataset's workspace, its editors and its viewers are to the dataset. */
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
