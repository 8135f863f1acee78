import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { REALM_ROLES, type WorkspaceRole } from '../../contract/permissions.ts';
import { LOCAL_OWNER_EMAIL } from '../access/local-owner.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import { assertNoLookAlike } from './look-alike.ts';

export interface NewAccount {
  username: string;
  /** Address that an admin entered or that another provider verified; null if there is none. */
  verified_email: string | null;
  first_name: string | null;
  last_name: string | null;
  /** null if the user signs in by another provider. */
  password_hash: string | null;
  /** Default false. */
  password_is_temporary?: boolean;
  /** Issuer and subject at the other identity provider. */
  oidc: { issuer: string; subject: string } | null;
  role: WorkspaceRole;
  /** Default true. */
  enabled?: boolean;
}

/** The address in a username that an admin entered; null if the username is no e-mail address. */
export function addressIn(username: string): string | null {
  return /^[^@]+@[^@]+$/.test(username) ? username : null;
}

/** The address that identifies a user in the service. */
export function addressOf({ username, verified_email }: Pick<NewAccount, 'username' | 'verified_email'>): string {
  return verified_email ?? `${username.replaceAll('@', '.')}@localhost`;
}

/**
 * Creates an account, its user in the service, and the membership of a workspace; an admin also manages users. A user that exists only in
 * records of datasets and cannot sign in is given the account. Joins the caller's transaction.
 * @returns The account's id at the identity provider.
 * @throws AppError `conflict` for a username that is taken or can be mistaken for another one.
 */
export function createAccount(
  { catalog, clock, ids }: { catalog: Catalog; clock: Clock; ids: Ids },
  workspaceId: string,
  { oidc, role, enabled = true, password_is_temporary = false, ...account }: NewAccount,
): string {
  const { username, first_name, last_name } = account;
  const email = addressOf(account);
  const isTaken = catalog.find(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM idp_user WHERE username = :username) OR EXISTS (
       SELECT 1 FROM user WHERE lower(email) = lower(:email) AND (idp_user_id IS NOT NULL OR email = :local_owner))`,
    { username, email, local_owner: LOCAL_OWNER_EMAIL },
  );
  if (isTaken) throw new AppError('conflict', message('username_taken', { username }));
  assertNoLookAlike(catalog, username);
  const known = catalog.find<{ user_id: string }>('SELECT user_id FROM user WHERE lower(email) = lower(:email)', {
    email,
  });
  const of = { user_id: known?.user_id ?? ids.uuid(), idp_user_id: ids.uuid(), created_at: clock.iso() };
  const { user_id, idp_user_id, created_at } = of;
  catalog.run(
    `INSERT INTO idp_user (idp_user_id, username, verified_email, first_name, last_name, enabled, password_hash, password_is_temporary, oidc_issuer,
       oidc_subject, created_at)
     VALUES (:idp_user_id, :username, :verified_email, :first_name, :last_name, :enabled, :password_hash, :password_is_temporary,
       :issuer, :subject, :created_at)`,
    {
      ...account,
      enabled: Number(enabled),
      password_is_temporary: Number(password_is_temporary),
      idp_user_id,
      created_at,
      issuer: oidc?.issuer ?? null,
      subject: oidc?.subject ?? null,
    },
  );
  const name = [first_name, last_name].filter((part) => part !== null).join(' ') || username;
  catalog.run(
    `INSERT INTO user (user_id, email, name, created_at, idp_user_id) VALUES (:user_id, :email, :name, :created_at, :idp_user_id)
     ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, idp_user_id = excluded.idp_user_id`,
    { ...of, email, name },
  );
  catalog.run('INSERT INTO workspace_member VALUES (:workspace_id, :user_id, :role, :created_at)', {
    ...{ workspace_id: workspaceId, user_id, role, created_at },
  });
  for (const realmRole of role === 'admin' ? REALM_ROLES : []) {
    catalog.run('INSERT INTO idp_role VALUES (:idp_user_id, :role)', { idp_user_id, role: realmRole });
  }
  return idp_user_id;
}
