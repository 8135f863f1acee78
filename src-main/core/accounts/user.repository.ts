import type { RealmRole, WorkspaceRole } from '../../contract/permissions.ts';
import type { Catalog, Sql } from '../ports/catalog.ts';

/** An account of the identity provider with the user of the service that signs in by it. */
export interface UserRow {
  idp_user_id: string;
  user_id: string;
  username: string;
  /** Identifies the user in the service. */
  address: string;
  first_name: string | null;
  last_name: string | null;
  enabled: 0 | 1;
  password_is_temporary: 0 | 1;
  has_second_factor: 0 | 1;
  created_at: string;
  last_access_at: string | null;
  /** JSON array. */
  realm_roles: string;
  /** Role in the primary workspace. */
  workspace_role: WorkspaceRole | null;
}

const SELECT = `SELECT idp_user.idp_user_id, user.user_id, username, user.email AS address, first_name, last_name, enabled,
    password_is_temporary, idp_user.created_at, last_access_at, workspace_member.role AS workspace_role,
    (EXISTS (SELECT 1 FROM second_factor AS factor WHERE factor.idp_user_id = idp_user.idp_user_id AND confirmed_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM passkey WHERE passkey.idp_user_id = idp_user.idp_user_id)) AS has_second_factor,
    (SELECT json_group_array(role ORDER BY role) FROM idp_role WHERE idp_role.idp_user_id = idp_user.idp_user_id) AS realm_roles
  FROM idp_user JOIN user ON user.idp_user_id = idp_user.idp_user_id
  LEFT JOIN workspace_member ON workspace_member.user_id = user.user_id AND workspace_member.workspace_id = :primary_workspace_id`;

const FITS = `(:search IS NULL OR instr(lower(username), lower(:search)) > 0
  OR instr(lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), lower(:search)) > 0)`;

/** Tables that refer to a user of the service by address. */
const NAMED_BY_ADDRESS = ['saved_view', 'task', 'snapshot'];

/** Users: rows of the identity provider and of the service, which are created and deleted together. */
export class UserRepository {
  readonly #catalog: Catalog;
  readonly #primaryWorkspaceId: string;

  constructor(catalog: Catalog, primaryWorkspaceId: string) {
    this.#catalog = catalog;
    this.#primaryWorkspaceId = primaryWorkspaceId;
  }

  /** @param id Id of the account or of the user. */
  find(id: string): UserRow | undefined {
    return this.#catalog.find<UserRow>(
      `${SELECT} WHERE idp_user.idp_user_id = :id OR idp_user.idp_user_id = (SELECT idp_user_id FROM user WHERE user_id = :id)`,
      this.#with({ id: id.toLowerCase() }),
    );
  }

  /** @param name The full username or address; case is ignored. */
  findByName(name: string): UserRow | undefined {
    return this.#catalog.find<UserRow>(
      `${SELECT} WHERE username = :name OR lower(user.email) = lower(:name)`,
      this.#with({ name }),
    );
  }

  /** A page of users, ordered by username. */
  list(search: string | undefined, page: { offset: number; limit: number }): { rows: UserRow[]; total: number } {
    const of = { search: search ?? null };
    const rows = this.#catalog.all<UserRow>(
      `${SELECT} WHERE ${FITS} ORDER BY username LIMIT :limit OFFSET :offset`,
      this.#with({ ...of, ...page }),
    );
    const total = this.#catalog.find<{ n: number }>(`SELECT count(*) AS n FROM idp_user WHERE ${FITS}`, of);
    return { rows, total: total?.n ?? 0 };
  }

  /** Whether an account has the username, or a user of the service has the address; case is ignored. */
  isTaken(username: string, address: string): boolean {
    const taken = `SELECT 1 WHERE EXISTS (SELECT 1 FROM idp_user WHERE username = :username)
      OR EXISTS (SELECT 1 FROM user WHERE lower(email) = lower(:address))`;
    return this.#catalog.find(taken, { username, address }) !== undefined;
  }

  /** Renames an account, and updates the records that refer to the previous address. */
  rename(
    { idp_user_id, user_id, address }: UserRow,
    to: { username: string; verified_email: string | null; address: string },
  ): void {
    this.#catalog.run(
      'UPDATE idp_user SET username = :username, verified_email = :verified_email WHERE idp_user_id = :idp_user_id',
      { username: to.username, verified_email: to.verified_email, idp_user_id },
    );
    this.#catalog.run('UPDATE user SET email = :address WHERE user_id = :user_id', { address: to.address, user_id });
    for (const table of NAMED_BY_ADDRESS) {
      this.#catalog.run(`UPDATE ${table} SET created_by = :new_address WHERE created_by = :address`, {
        address,
        new_address: to.address,
      });
    }
  }

  /** Transfers all tasks from one user to another. */
  handTasksOn(fromAddress: string, toAddress: string): void {
    this.#catalog.run('UPDATE task SET created_by = :to WHERE created_by = :from', {
      from: fromAddress,
      to: toAddress,
    });
  }

  setEnabled(idpUserId: string, enabled: boolean): void {
    this.#catalog.run('UPDATE idp_user SET enabled = :enabled WHERE idp_user_id = :idp_user_id', {
      idp_user_id: idpUserId,
      enabled: Number(enabled),
    });
  }

  /** @param hash Hash of a password that the user must change. */
  setTemporaryPassword(idpUserId: string, hash: string): void {
    this.#catalog.run(
      'UPDATE idp_user SET password_hash = :hash, password_is_temporary = 1 WHERE idp_user_id = :idp_user_id',
      { idp_user_id: idpUserId, hash },
    );
  }

  removeSecondFactor(idpUserId: string): void {
    for (const table of ['second_factor', 'passkey']) {
      this.#catalog.run(`DELETE FROM ${table} WHERE idp_user_id = :idp_user_id`, { idp_user_id: idpUserId });
    }
  }

  setRealmRoles(idpUserId: string, roles: readonly RealmRole[]): void {
    const of = { idp_user_id: idpUserId };
    this.#catalog.run('DELETE FROM idp_role WHERE idp_user_id = :idp_user_id', of);
    for (const role of new Set(roles)) {
      this.#catalog.run('INSERT INTO idp_role VALUES (:idp_user_id, :role)', { ...of, role });
    }
  }

  /** Deletes a user with their sessions, roles, memberships, credentials, shares and notifications. The user must not own anything. */
  delete({ idp_user_id, user_id }: UserRow): void {
    this.#catalog.run('DELETE FROM idp_user WHERE idp_user_id = :idp_user_id', { idp_user_id });
    this.#catalog.run('DELETE FROM user WHERE user_id = :user_id', { user_id });
  }

  #with(parameters: Sql): Sql {
    return { ...parameters, primary_workspace_id: this.#primaryWorkspaceId };
  }
}
