import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { DATASET_ROLE_OF, type DatasetRole, MEMBER_RULES } from '../../contract/permissions.ts';
import type { Memberships } from '../accounts/memberships.ts';
import type { ShareRepository } from './share.repository.ts';
import type { Viewer } from './visible.ts';

interface OwnedRow {
  dataset_id: string;
  owner_id: string;
  workspace_id: string | null;
}

/** The roles of users on datasets. `isVisibleTo` is the SQL condition for datasets on which a user has any role. */
export class DatasetRoles {
  readonly #memberships: Memberships;
  readonly #shares: ShareRepository;

  constructor(memberships: Memberships, shares: ShareRepository) {
    this.#memberships = memberships;
    this.#shares = shares;
  }

  /** Returns a function from a dataset to the viewer's role; call it once for many datasets. Undefined hides a dataset. */
  of({ user_id, is_local_owner }: Viewer): (dataset: OwnedRow) => DatasetRole | undefined {
    if (is_local_owner) return () => 'owner';
    const memberships = this.#memberships.of(user_id);
    return ({ dataset_id, owner_id, workspace_id }) => {
      if (owner_id === user_id) return 'owner';
      const role = memberships.get(workspace_id ?? '');
      // The share is not read for a member: a member's role is never less than what a share grants.
      return role ? DATASET_ROLE_OF[role] : this.#shares.roleOf(dataset_id, user_id);
    };
  }

  /** As `of`, for an account that was not authenticated in this call: it may be disabled or deleted. */
  ofAccount(userId: string): (dataset: OwnedRow) => DatasetRole | undefined {
    if (!this.#memberships.isActive(userId)) return () => undefined;
    return this.of({ user_id: userId, is_local_owner: false });
  }

  /**
   * Checks that a user may own a dataset of a workspace. Call it again when the dataset is created, because accounts and roles may change
   * during the preparation.
   * @throws AppError `unauthenticated` if the account was disabled or deleted, `forbidden` if it lost its role.
   */
  assertMayOwn({ user_id, is_local_owner }: Viewer, workspaceId: string | null): void {
    if (is_local_owner) return;
    if (!this.#memberships.isActive(user_id)) {
      throw new AppError('unauthenticated', message('account_disabled_or_deleted'));
    }
    const role = this.#memberships.of(user_id).get(workspaceId ?? '');
    if (!role || !MEMBER_RULES[role].includes('datasets:create')) {
      throw new AppError('forbidden', message('creating_datasets_no_longer_allowed'));
    }
  }
}
