import { AppError } from '../../contract/errors.ts';
import { DATASET_ROLE_OF, type DatasetRole, MEMBER_RULES } from '../../contract/permissions.ts';
import type { Memberships } from '../accounts/memberships.ts';
import type { ShareRepository } from './share.repository.ts';
import type { Viewer } from './visible.ts';

interface OwnedRow {
  dataset_id: string;
  owner_id: string;
  workspace_id: string | null;
}

/** What somebody is to a dataset; see also `isVisibleTo`, which finds those that they are anything to. */
export class DatasetRoles {
  readonly #memberships: Memberships;
  readonly #shares: ShareRepository;

  constructor(memberships: Memberships, shares: ShareRepository) {
    this.#memberships = memberships;
    this.#shares = shares;
  }

  /** Asked once for as many datasets as are looked at. Undefined hides a dataset. */
  of({ user_id, is_local_owner }: Viewer): (dataset: OwnedRow) => DatasetRole | undefined {
    if (is_local_owner) return () => 'owner';
    const memberships = this.#memberships.of(user_id);
    return ({ dataset_id, owner_id, workspace_id }) => {
      if (owner_id === user_id) return 'owner';
      const role = memberships.get(workspace_id ?? '');
      // A share makes nobody more than the least of the members is.
      return role ? DATASET_ROLE_OF[role] : this.#shares.roleOf(dataset_id, user_id);
    };
  }

  /** The same of an account that nobody has asked who it is: it may be disabled, or gone. */
  ofAccount(userId: string): (dataset: OwnedRow) => DatasetRole | undefined {
    if (!this.#memberships.isActive(userId)) return () => undefined;
    return this.of({ user_id: userId, is_local_owner: false });
  }

  /**
   * Whether somebody may own a dataset of a workspace; asked again where it is made, for accounts and roles may change while that is prepared.
   * @throws AppError `unauthenticated` to an account that was disabled or deleted, `forbidden` to one that lost its role.
   */
  assertMayOwn({ user_id, is_local_owner }: Viewer, workspaceId: string | null): void {
    if (is_local_owner) return;
    if (!this.#memberships.isActive(user_id)) {
      throw new AppError('unauthenticated', 'Your account was disabled or deleted');
    }
    const role = this.#memberships.of(user_id).get(workspaceId ?? '');
    if (!role || !MEMBER_RULES[role].includes('datasets:create')) {
      throw new AppError('forbidden', 'You may not make datasets in this workspace any more');
    }
  }
}
