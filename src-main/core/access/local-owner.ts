import { REALM_ROLES } from '../../contract/permissions.ts';
import type { Principal } from '../core.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';

/** Reserved: no account can have this address, because its username counts as taken. */
export const LOCAL_OWNER_EMAIL = 'owner@localhost';

/** The local owner: the only account while authentication is off, and an admin of the primary workspace. Created if missing. */
export function ensureLocalOwner(catalog: Catalog, clock: Clock, ids: Ids, workspaceId: string): Principal {
  catalog.run(
    `INSERT INTO user (user_id, email, name, created_at) VALUES (:user_id, :email, 'Local owner', :created_at)
     ON CONFLICT (email) DO NOTHING`,
    { user_id: ids.uuid(), email: LOCAL_OWNER_EMAIL, created_at: clock.iso() },
  );
  const owner = catalog.find<Pick<Principal, 'user_id' | 'email' | 'name'>>(
    'SELECT user_id, email, name FROM user WHERE email = :email',
    { email: LOCAL_OWNER_EMAIL },
  );
  if (!owner) throw new Error('the local owner could not be made');
  return {
    ...owner,
    workspace_id: workspaceId,
    role: 'admin',
    in_primary_workspace: true,
    realm_roles: REALM_ROLES,
    session_id: null,
    is_local_owner: true,
    token_until_ms: null,
    must_change_password: false,
  };
}
