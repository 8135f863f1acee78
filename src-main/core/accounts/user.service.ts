import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { REALM_ROLES, type WorkspaceRole } from '../../contract/permissions.ts';
import type { AuditAction } from '../../contract/schemas/audit.ts';
import type { User, UserSession } from '../../contract/schemas/user.ts';
import type { DatasetUsers } from '../access/dataset-users.ts';
import type { CallContext, Principal } from '../core.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { AuditService } from './audit.service.ts';
import { assertNoLookAlike } from './look-alike.ts';
import type { MemberRoles } from './member-roles.ts';
import { addressIn, addressOf, createAccount } from './new-account.ts';
import { hashPassword } from './password.ts';
import { assertGoodPassword } from './password-rules.ts';
import { presentUser, realmRolesOf } from './present-user.ts';
import type { ServiceMode } from './service-mode.ts';
import type { SessionService } from './session.service.ts';
import type { UserRepository, UserRow } from './user.repository.ts';
import type { WorkspaceRepository } from './workspace.repository.ts';

export interface UserServiceParts {
  catalog: Catalog;
  audit: AuditService;
  mode: ServiceMode;
  primaryWorkspaceId: string;
  users: UserRepository;
  workspaces: WorkspaceRepository;
  roles: MemberRoles;
  sessions: Pick<SessionService, 'endAllOf' | 'listOf'>;
  datasetUsers: DatasetUsers;
  events: EventBus;
  clock: Clock;
  ids: Ids;
}

interface NewUserInput {
  username: string;
  password: string;
  temporary: boolean;
  firstName: string;
  lastName: string;
  enabled: boolean;
  workspace_role: WorkspaceRole;
}

interface OfUser {
  user_id: string;
}

/** Users of the built-in identity provider (interface 4.13). */
export class UserService {
  readonly #parts: UserServiceParts;

  /** The operations that this service handles. */
  readonly handlers = {
    list_users: (context, input) => this.list(context, input),
    get_user: (context, input) => this.get(context, input),
    create_user: (context, input) => this.create(context, input),
    update_user: (context, input) => this.update(context, input),
    delete_user: (context, input) => this.delete(context, input),
    reset_user_password: (context, input) => this.resetPassword(context, input),
    remove_user_second_factor: (context, input) => this.removeSecondFactor(context, input),
    logout_user: (context, input) => this.logout(context, input),
    list_user_sessions: (context, input) => this.listSessions(context, input),
    set_user_roles: (context, input) => this.setRoles(context, input),
  } satisfies SomeHandlers;

  constructor(parts: UserServiceParts) {
    this.#parts = parts;
  }

  list(_context: CallContext, input: { search?: string | undefined; max_results: number; first: number }) {
    const { rows, total } = this.#parts.users.list(input.search, { offset: input.first, limit: input.max_results });
    return { users: rows.map(presentUser), total };
  }

  get(_context: CallContext, { user_id }: OfUser): User {
    return presentUser(this.#get(user_id));
  }

  /**
   * Creates the account, the user and the membership in one transaction.
   * @throws AppError `conflict` for a username that is taken, `forbidden` if the caller may not grant the role.
   */
  async create(context: CallContext, input: NewUserInput): Promise<User> {
    const { principal } = context;
    const { catalog, audit, roles, primaryWorkspaceId } = this.#parts;
    await assertGoodPassword(input.password, input.username);
    const passwordHash = await hashPassword(input.password);
    const { idpUserId, change } = catalog.transaction(() => {
      this.#assertStillManages(principal);
      if (input.workspace_role === 'admin') this.#assertAdmin(principal);
      const made = createAccount(this.#parts, primaryWorkspaceId, {
        username: input.username,
        verified_email: addressIn(input.username),
        first_name: input.firstName,
        last_name: input.lastName,
        enabled: input.enabled,
        password_hash: passwordHash,
        password_is_temporary: input.temporary,
        oidc: null,
        role: 'viewer',
      });
      audit.note(context, 'user_created', input.username, { role: input.workspace_role });
      return {
        idpUserId: made,
        change: roles.give(primaryWorkspaceId, this.#get(made), input.workspace_role, principal),
      };
    });
    change.announce();
    return presentUser(this.#get(idpUserId));
  }

  /**
   * @throws AppError `invalid_request` if nothing changes, and for disabling oneself or the last admin; `conflict` for a taken username.
   */
  update(context: CallContext, input: OfUser & { username?: string | undefined; enabled?: boolean | undefined }): User {
    const { username, enabled } = input;
    if (username === undefined && enabled === undefined) {
      throw new AppError('invalid_request', message('user_change_empty'));
    }
    const { principal } = context;
    const about = { action: 'user_changed', details: { username, enabled } } as const;
    const user = this.#change(context, input.user_id, about, (row) => {
      if (username !== undefined && username !== row.username) this.#rename(row, username);
      if (enabled === undefined || enabled === (row.enabled === 1)) return;
      if (!enabled) this.#assertDispensable(principal, row, 'disabled');
      this.#parts.users.setEnabled(row.idp_user_id, enabled);
      if (!enabled) this.#parts.sessions.endAllOf(row.idp_user_id);
    });
    return presentUser(this.#get(user.idp_user_id));
  }

  /**
   * Deletes a user. The caller takes over the user's datasets and tasks; running tasks continue.
   * @throws AppError `invalid_request` for oneself and for the last admin.
   */
  delete(context: CallContext, { user_id }: OfUser): { message: string } {
    const { principal } = context;
    const { users, datasetUsers, events } = this.#parts;
    // Checked for every caller: the rule that the last admin stays does not depend on permissions.
    this.#assertDispensable(principal, this.#get(user_id), 'deleted');
    let moved: string[] = [];
    const row = this.#change(context, user_id, { action: 'user_deleted' }, (user) => {
      this.#assertDispensable(principal, user, 'deleted');
      moved = datasetUsers.transfer(user.user_id, principal.user_id);
      this.#parts.sessions.endAllOf(user.idp_user_id);
      users.handTasksOn(user.address, principal.email);
      users.delete(user);
    });
    for (const datasetId of moved) events.emit('dataset_changed', { dataset_id: datasetId });
    return { message: `User ${row.username} was deleted` };
  }

  async resetPassword(context: CallContext, input: OfUser & { password: string }): Promise<{ message: string }> {
    await assertGoodPassword(input.password, this.#get(input.user_id).username);
    const hash = await hashPassword(input.password);
    const { username } = this.#change(context, input.user_id, { action: 'password_reset' }, (row) => {
      this.#parts.users.setTemporaryPassword(row.idp_user_id, hash);
      this.#parts.sessions.endAllOf(row.idp_user_id);
    });
    return { message: `The password of ${username} was set; it has to be changed at the next login` };
  }

  /** Removes the second factor and the passkeys of a user who lost them. */
  removeSecondFactor(context: CallContext, { user_id }: OfUser): { message: string } {
    const { username } = this.#change(context, user_id, { action: 'second_factor_removed' }, (row) => {
      this.#parts.users.removeSecondFactor(row.idp_user_id);
      this.#parts.sessions.endAllOf(row.idp_user_id);
    });
    return { message: `${username} signs in with the password alone` };
  }

  logout(context: CallContext, { user_id }: OfUser): { message: string } {
    const { username } = this.#change(context, user_id, { action: 'sessions_ended' }, (row) =>
      this.#parts.sessions.endAllOf(row.idp_user_id),
    );
    return { message: `All sessions of ${username} have ended` };
  }

  listSessions(_context: CallContext, { user_id }: OfUser): { sessions: UserSession[]; total: number } {
    const { idp_user_id, username } = this.#get(user_id);
    const sessions = this.#parts.sessions.listOf(idp_user_id).map((session) => ({
      id: session.session_id,
      username,
      ipAddress: session.ip_address,
      start: Date.parse(session.started_at),
      lastAccess: Date.parse(session.last_access_at),
      clients: { vitrine: session.client },
    }));
    return { sessions, total: sessions.length };
  }

  setRoles(context: CallContext, input: OfUser & { roles: readonly string[] }): User {
    const known = REALM_ROLES.filter((role) => input.roles.includes(role));
    const about = { action: 'roles_changed', details: { roles: known } } as const;
    const { idp_user_id } = this.#change(context, input.user_id, about, (row) =>
      this.#parts.users.setRealmRoles(row.idp_user_id, known),
    );
    return presentUser(this.#get(idp_user_id));
  }

  /** @throws AppError `not_found`. */
  #get(id: string): UserRow {
    const row = this.#parts.users.find(id);
    if (!row) throw new AppError('not_found', message('user_not_found'));
    return row;
  }

  /**
   * Changes a user in one transaction, which records the change in the audit log, and emits its events.
   * @returns The user before the change.
   */
  #change(
    context: CallContext,
    id: string,
    about: { action: AuditAction; details?: Readonly<Record<string, unknown>> },
    work: (row: UserRow) => void,
  ): UserRow {
    const { principal } = context;
    const { catalog, audit, events } = this.#parts;
    const row = catalog.transaction(() => {
      this.#assertStillManages(principal);
      const found = this.#get(id);
      if (found.workspace_role === 'admin') this.#assertAdmin(principal);
      work(found);
      audit.note(context, about.action, found.username, about.details);
      return found;
    });
    events.emit('access_changed', { user_id: row.user_id });
    return row;
  }

  #rename(row: UserRow, username: string): void {
    const { users } = this.#parts;
    const verifiedEmail = addressIn(username);
    const address = addressOf({ username, verified_email: verifiedEmail });
    const isCaseAlone = username.toLowerCase() === row.username.toLowerCase();
    if (!isCaseAlone && users.isTaken(username, address)) {
      throw new AppError('conflict', message('username_taken', { username }));
    }
    assertNoLookAlike(this.#parts.catalog, username, row.idp_user_id);
    users.rename(row, { username, verified_email: verifiedEmail, address });
  }

  /** @throws AppError `invalid_request` for the caller's own account, and for the only admin. */
  #assertDispensable(principal: Principal, row: UserRow, change: 'deleted' | 'disabled'): void {
    if (row.user_id === principal.user_id) throw new AppError('invalid_request', message(`own_account_${change}`));
    const { mode, workspaces, primaryWorkspaceId } = this.#parts;
    if (!mode.single_workspace || row.workspace_role !== 'admin') return;
    if (workspaces.listAdmins(primaryWorkspaceId).length === 1) {
      throw new AppError('invalid_request', message(`last_admin_${change}`));
    }
  }

  /** Checks the caller's roles again: they may have been revoked while a password was hashed. @throws AppError `forbidden`. */
  #assertStillManages({ user_id, is_local_owner }: Principal): void {
    if (is_local_owner) return;
    const row = this.#parts.users.find(user_id);
    if (row?.enabled === 1 && realmRolesOf(row).includes('manage-users')) return;
    throw new AppError('forbidden', message('user_management_revoked'));
  }

  /** A user manager who is not an admin can neither make a user an admin nor change an admin. @throws AppError `forbidden`. */
  #assertAdmin({ user_id, is_local_owner }: Principal): void {
    if (is_local_owner || this.#parts.users.find(user_id)?.workspace_role === 'admin') return;
    throw new AppError('forbidden', message('admin_required_for_admin'));
  }
}
