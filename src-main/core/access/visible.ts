import type { Principal } from '../core.ts';

/** The user whose view of the data is computed. */
export type Viewer = Pick<Principal, 'user_id' | 'is_local_owner'>;

/** Each part uses an index of its own. */
const IS_VISIBLE = `(dataset.owner_id = :user_id
  OR dataset.workspace_id IN (SELECT workspace_id FROM workspace_member WHERE workspace_member.user_id = :user_id)
  OR dataset.dataset_id IN (SELECT dataset_id FROM dataset_share WHERE dataset_share.user_id = :user_id))`;

/**
 * SQL condition: whether the user with the id `:user_id` may see a row of `dataset`, which they own, which belongs to one of their
 * workspaces, or which is shared with them. DatasetRoles returns the role.
 */
export function isVisibleTo({ is_local_owner }: Viewer): string {
  return is_local_owner ? 'dataset.dataset_id IS NOT NULL' : IS_VISIBLE;
}
