/** SQL: whether the account `:user_id` may see a row of `dataset`, its own or one that is shared with it. */
export const IS_VISIBLE = `(dataset.owner_id = :user_id OR EXISTS (
  SELECT 1 FROM dataset_share WHERE dataset_share.dataset_id = dataset.dataset_id AND dataset_share.user_id = :user_id))`;
