import { DATASET_ROLE_OF, type DatasetRole } from '../../contract/permissions.ts';
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
}
