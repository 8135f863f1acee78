import type { RealmRole, WorkspaceRole } from '../../contract/permissions.ts';
import type { Principal } from '../core.ts';
import type { Catalog } from '../ports/catalog.ts';
import { BY_JOINING } from './memberships.ts';

interface PrincipalRow {
  user_id: string;
  email: string;
  name: string;
  password_is_temporary: 0 | 1;
  workspace_id: string | null;
  role: WorkspaceRole | null;
  /** JSON array. */
  realm_roles: string;
}

/** The fields of an account that a login checks. */
export interface LoginRow {
  idp_user_id: string;
  user_id: string;
  username: string;
  enabled: 0 | 1;
  password_hash: string | null;
}

/**
 * Selects a user with one membership: in the primary workspace if the user is a member of it, else in the workspace that they joined first.
 */
const PRINCIPAL = `SELECT user.user_id, user.email, user.name, password_is_temporary, member.workspace_id, member.role,
    (SELECT json_group_array(role) FROM idp_role WHERE idp_role.idp_user_id = idp_user.idp_user_id) AS realm_roles
  FROM idp_user JOIN user ON user.idp_user_id = idp_user.idp_user_id
  LEFT JOIN workspace_member AS member ON member.user_id = user.user_id AND member.workspace_id = (
    SELECT workspace_id FROM workspace_member JOIN workspace USING (workspace_id) WHERE workspace_member.user_id = user.user_id
    ORDER BY workspace_id = :primary DESC, ${BY_JOINING} LIMIT 1)`;

const LOGIN = `SELECT idp_user.idp_user_id, user_id, username, enabled, password_hash
  FROM idp_user JOIN user ON user.idp_user_id = idp_user.idp_user_id`;

/** Reads and writes accounts for logins and for the authentication of calls. */
export class AccountRepository {
  readonly #catalog: Catalog;
  readonly #primaryWorkspaceId: string | null;

  constructor(catalog: Catalog, primaryWorkspaceId: string | null) {
    this.#catalog = catalog;
    this.#primaryWorkspaceId = primaryWorkspaceId;
  }

  /** Returns the user that signs in with an account; undefined if the account is missing or disabled. */
  findPrincipal(idpUserId: string, sessionId: string): Principal | undefined {
    return this.#principal('idp_user.idp_user_id = :id', idpUserId, sessionId);
  }

  /** Returns the owner of an API key; undefined if the key is missing or the account is disabled. */
  findPrincipalOfKey(apiKey: string): Principal | undefined {
    return this.#principal('user.user_id = (SELECT user_id FROM api_credential WHERE api_key = :id)', apiKey, null);
  }

  #principal(condition: string, id: string, sessionId: string | null): Principal | undefined {
    const row = this.#catalog.find<PrincipalRow>(`${PRINCIPAL} WHERE idp_user.enabled = 1 AND ${condition}`, {
      id,
      primary: this.#primaryWorkspaceId,
    });
    if (!row) return undefined;
    const { password_is_temporary, realm_roles, ...principal } = row;
    return {
      ...principal,
      in_primary_workspace: row.workspace_id !== null && row.workspace_id === this.#primaryWorkspaceId,
      realm_roles: JSON.parse(realm_roles) as RealmRole[],
      session_id: sessionId,
      token_until_ms: null,
      is_local_owner: false,
      must_change_password: password_is_temporary === 1,
    };
  }

  findByUsername(username: string): LoginRow | undefined {
    return this.#catalog.find(`${LOGIN} WHERE username = :username`, { username });
  }

  findByUser(userId: string): LoginRow | undefined {
    return this.#catalog.find(`${LOGIN} WHERE user_id = :user_id`, { user_id: userId });
  }

  /** Finds the account whose verified address this is; case is ignored. */
  findByVerifiedEmail(email: string): LoginRow | undefined {
    return this.#catalog.find(`${LOGIN} WHERE verified_email = :email`, { email });
  }

  /** Whether an account is still enabled and still has the password that was checked: both may change while the hash is computed. */
  isUnchanged({ user_id, password_hash }: LoginRow): boolean {
    const row = this.findByUser(user_id);
    return row?.enabled === 1 && row.password_hash === password_hash;
  }

  /** Finds the account that is bound to a subject of an OpenID Connect issuer. */
  findByIdentity(issuer: string, subject: string): LoginRow | undefined {
    return this.#catalog.find(`${LOGIN} WHERE oidc_issuer = :issuer AND oidc_subject = :subject`, { issuer, subject });
  }

  /**
   * Binds an account to a subject of another identity provider and invalidates a password that was generated for the account.
   * @returns Whether the binding was made: false if the account is already bound.
   */
  bind(idpUserId: string, { issuer, subject }: { issuer: string; subject: string }): boolean {
    const { changes } = this.#catalog.run(
      `UPDATE idp_user SET oidc_issuer = :issuer, oidc_subject = :subject, password_is_temporary = 0,
         password_hash = iif(password_is_temporary = 1, NULL, password_hash)
       WHERE idp_user_id = :idp_user_id AND oidc_subject IS NULL`,
      { idp_user_id: idpUserId, issuer, subject },
    );
    return changes > 0;
  }

  /** Whether any account can manage the service. */
  hasAdmin(): boolean {
    const admin = this.#catalog.find(
      `SELECT 1 FROM workspace_member JOIN user USING (user_id) JOIN idp_user USING (idp_user_id)
       WHERE workspace_id = :primary AND role = 'admin'`,
      { primary: this.#primaryWorkspaceId },
    );
    return admin !== undefined;
  }

  /** @param hash Hash of a password that the account's owner chose. */
  setPassword(idpUserId: string, hash: string): void {
    this.#catalog.run(
      'UPDATE idp_user SET password_hash = :hash, password_is_temporary = 0 WHERE idp_user_id = :idp_user_id',
      { idp_user_id: idpUserId, hash },
    );
  }

  noteAccess(idpUserId: string, at: string): void {
    this.#catalog.run('UPDATE idp_user SET last_access_at = :at WHERE idp_user_id = :idp_user_id', {
      idp_user_id: idpUserId,
      at,
    });
  }
}
