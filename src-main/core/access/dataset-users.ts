import type { Catalog } from '../ports/catalog.ts';

/** The users who own datasets or work with them. */
export class DatasetUsers {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Lists the users who work with a dataset: its owner, the users it is shared with, and the workspace members who may edit it. */
  listCollaborators(datasetId: string): string[] {
    return this.#catalog
      .all<{ user_id: string }>(
        `SELECT owner_id AS user_id FROM dataset WHERE dataset_id = :dataset_id
         UNION SELECT user_id FROM dataset_share WHERE dataset_id = :dataset_id
         UNION SELECT user_id FROM dataset JOIN workspace_member USING (workspace_id)
           WHERE dataset_id = :dataset_id AND role IN ('admin', 'editor')`,
        { dataset_id: datasetId },
      )
      .map((row) => row.user_id);
  }

  /** Lists the users who may have a role on a dataset: its owner, the users it is shared with, and the workspace's members. */
  listPeople(datasetId: string): { user_id: string; email: string; name: string }[] {
    return this.#catalog.all(
      `SELECT user_id, email, name FROM user WHERE user_id IN (
         SELECT owner_id FROM dataset WHERE dataset_id = :dataset_id
         UNION SELECT user_id FROM dataset_share WHERE dataset_id = :dataset_id
         UNION SELECT user_id FROM dataset JOIN workspace_member USING (workspace_id) WHERE dataset_id = :dataset_id)
       ORDER BY email`,
      { dataset_id: datasetId },
    );
  }

  /**
   * Transfers a user's datasets, in one workspace or in all, to another user; joins the caller's transaction.
   * @returns The ids of the transferred datasets. The caller emits their events after the commit.
   */
  transfer(fromUserId: string, toUserId: string, workspaceId: string | null = null): string[] {
    const of = { from: fromUserId, to: toUserId, workspace_id: workspaceId };
    const owned = this.#catalog.all<{ dataset_id: string }>(
      'SELECT dataset_id FROM dataset WHERE owner_id = :from AND (:workspace_id IS NULL OR workspace_id = :workspace_id)',
      of,
    );
    this.#catalog.run(
      'UPDATE dataset SET owner_id = :to WHERE owner_id = :from AND (:workspace_id IS NULL OR workspace_id = :workspace_id)',
      of,
    );
    // An owner needs no share.
    this.#catalog.run(
      `DELETE FROM dataset_share WHERE user_id = :to
         AND dataset_id IN (SELECT dataset_id FROM dataset WHERE owner_id = :to)`,
      of,
    );
    return owned.map(({ dataset_id }) => dataset_id);
  }
}
