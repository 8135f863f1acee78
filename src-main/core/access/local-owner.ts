import type { Catalog } from '../../infra/catalog/catalog.ts';
import type { Principal } from '../core.ts';
import type { Clock, Ids } from '../ports/clock.ts';

const EMAIL = 'owner@localhost';

/** The person at this machine: the one account while authentication is off. */
export function ensureLocalOwner(catalog: Catalog, clock: Clock, ids: Ids): Principal {
  catalog.run(`INSERT INTO user VALUES (:user_id, :email, 'Local owner', :created_at) ON CONFLICT (email) DO NOTHING`, {
    user_id: ids.uuid(),
    email: EMAIL,
    created_at: clock.iso(),
  });
  const owner = catalog.find<Omit<Principal, 'role'>>('SELECT user_id, email, name FROM user WHERE email = :email', {
    email: EMAIL,
  });
  if (!owner) throw new Error('the local owner could not be made');
  return { ...owner, role: 'admin' };
}
