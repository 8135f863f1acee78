import type { Principal } from '../core.ts';

/** Who looks. */
export type Viewer = Pick<Principal, 'user_id' | 'is_local_owner'>;

/** Each part is found by an index of its own. */
const IS_VISIBLE = `(dataset.owner_id = :user_id
  OR dataset.workspace_id IN (SELECT workspace_id FROM workspace_member WHERE workspace_member.user_id = :user_id)
  OR dataset.dataset_id IN (SELECT dataset_id FROM dataset_share WHERE dataset_share.user_id = :user_id))`;

/**
 * SQL: whether somebody, whose id is `:user_id`, may see a row of `dataset`: one of their own, of a workspace that they are a member of, or
 * one that is shared with them. What they are to it, DatasetRoles says.
 */
export function isVisibleTo({ is_local_owner }: Viewer): string {
  return is_local_owner ? 'dataset.dataset_id IS NOT NULL' : IS_VISIBLE;
}
