/** What a caller must be allowed to do; declared on each operation and enforced in one place (core/invoke.ts). */
export type Permission =
  | 'public'
  | 'signed_url'
  | 'datasets:create'
  | 'datasets:list'
  | 'dataset:view'
  | 'dataset:edit'
  | 'dataset:own'
  | 'account'
  | 'users:view'
  | 'users:manage'
  | 'workspace:view'
  | 'workspace:manage'
  | 'settings:manage';

/** Switches of interface section 4.15 that turn operations off. */
export type FeatureFlag =
  | 'ADD_MEDIA_ENABLED'
  | 'DELETE_DATASET_ENABLED'
  | 'DATASET_SHARE_ENABLED'
  | 'DATASET_SNAPSHOTS_ENABLED';
