import type { DatasetRole } from '../../contract/permissions.ts';
import type { Catalog } from '../ports/catalog.ts';

/** Shares: the users, other than the owner, with whom a dataset is shared. */
export class ShareRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  roleOf(datasetId: string, userId: string): DatasetRole | undefined {
    return this.#catalog.find<{ role: DatasetRole }>(
      'SELECT role FROM dataset_share WHERE dataset_id = :dataset_id AND user_id = :user_id',
      { dataset_id: datasetId, user_id: userId },
    )?.role;
  }

  /** Ordered by address. */
  list(datasetId: string): { email: string; role: DatasetRole }[] {
    return this.#catalog.all(
      `SELECT email, role FROM dataset_share JOIN user USING (user_id)
       WHERE dataset_id = :dataset_id ORDER BY email`,
      { dataset_id: datasetId },
    );
  }

  /** Finds an account by its address; case is ignored. */
  findUser(email: string): { user_id: string; email: string } | undefined {
    return this.#catalog.find('SELECT user_id, email FROM user WHERE lower(email) = lower(:email)', { email });
  }

  /** Whether a user belongs to workspaces, but to none of another user's. */
  isOfOtherWorkspaces(userId: string, otherUserId: string): boolean {
    const apart = this.#catalog.find(
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM workspace_member WHERE user_id = :user_id)
         AND NOT EXISTS (SELECT 1 FROM workspace_member AS one JOIN workspace_member AS other USING (workspace_id)
           WHERE one.user_id = :user_id AND other.user_id = :other_user_id)`,
      { user_id: userId, other_user_id: otherUserId },
    );
    return apart !== undefined;
  }

  add(datasetId: string, userId: string, role: DatasetRole, at: string): void {
    this.#catalog.run(
      'INSERT INTO dataset_share VALUES (:dataset_id, :user_id, :role, :created_at) ON CONFLICT DO NOTHING',
      { dataset_id: datasetId, user_id: userId, role, created_at: at },
    );
  }

  /** @returns Whether there was a share to remove. */
  remove(datasetId: string, userId: string): boolean {
    const { changes } = this.#catalog.run(
      'DELETE FROM dataset_share WHERE dataset_id = :dataset_id AND user_id = :user_id',
      { dataset_id: datasetId, user_id: userId },
    );
    return changes > 0;
  }
}
