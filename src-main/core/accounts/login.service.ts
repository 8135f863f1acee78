import { AppError, invalidField } from '../../contract/errors.ts';
import { formatMessage, type Message, message } from '../../contract/messages.ts';
import type { StartedSession } from '../../contract/operation.ts';
import type { Account, AccountSession, LoginOptions } from '../../contract/schemas/account.ts';
import type { CallContext, Principal } from '../core.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { NotificationService } from '../notifications/notification.service.ts';
import type { Clock } from '../ports/clock.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { AccountRepository } from './account.repository.ts';
import type { AuditService } from './audit.service.ts';
import type { LoginLimits } from './login-limits.ts';
import type { Memberships } from './memberships.ts';
import type { OwnPassword } from './own-password.ts';
import type { PasskeyRepository } from './passkey.repository.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { assertGoodPassword } from './password-rules.ts';
import type { SecondFactorService } from './second-factor.service.ts';
import type { ServiceMode } from './service-mode.ts';
import type { SessionService } from './session.service.ts';

/** Number of recent failed attempts after which the owner of an account is notified. */
const NOTIFIED_FAILURES = 10;

export interface LoginParts {
  mode: ServiceMode;
  accounts: AccountRepository;
  memberships: Memberships;
  sessions: SessionService;
  audit: AuditService;
  limits: LoginLimits;
  ownPassword: OwnPassword;
  secondFactors: Pick<SecondFactorService, 'admits'>;
  passkeys: Pick<PasskeyRepository, 'hasAny'>;
  notifications: Pick<NotificationService, 'add'>;
  /** The other identity provider, with its display name; null if none is set. */
  oidc: { name: string } | null;
  events: EventBus;
  clock: Clock;
  settings: SettingsService;
}

/** Sign-in, sign-out, and the operations on a user's own account. */
export class LoginService {
  readonly #parts: LoginParts;

  /** The operations that this service handles. */
  readonly handlers = {
    login: (context, input) => this.login(context, input),
    logout: (context) => this.logout(context),
    get_login_options: () => this.options(),
    get_account: (context) => this.getAccount(context),
    change_password: (context, input) => this.changePassword(context, input),
    list_account_sessions: (context) => this.listSessions(context),
    end_account_session: (context, input) => this.endSession(context, input),
    logout_everywhere: (context) => this.logoutEverywhere(context),
  } satisfies SomeHandlers;

  constructor(parts: LoginParts) {
    this.#parts = parts;
  }

  options(): LoginOptions {
    const { mode, accounts, passkeys } = this.#parts;
    return {
      authentication: mode.authentication,
      oidc: this.#parts.oidc,
      passkeys: mode.authentication && passkeys.hasAny(),
      setup_needed: mode.authentication && !accounts.hasAdmin(),
    };
  }

  /**
   * @throws AppError `unauthenticated`, with the same message and after the same time, for an unknown name, a wrong password and a disabled
   * account; `second_factor_required` for a right password without the code that the account needs; `too_many_requests`;
   * `invalid_request` while authentication is off.
   */
  async login(context: CallContext, input: { username: string; password: string; code?: string | undefined }) {
    const { mode, accounts, limits, secondFactors } = this.#parts;
    if (!mode.authentication) throw new AppError('invalid_request', message('authentication_off'));
    const nAttempts = limits.take(input.username, context.address);
    const row = accounts.findByUsername(input.username);
    const fits = await verifyPassword(row?.password_hash ?? null, input.password);
    const fail = (reason: Message): never => {
      this.#parts.audit.noteOf(input.username, context.address, 'login_failed', input.username);
      if (row && nAttempts === NOTIFIED_FAILURES) this.#notifyOfFailures(row.user_id, nAttempts);
      throw new AppError('unauthenticated', reason);
    };
    if (!row || !fits || !accounts.isUnchanged(row)) return fail(message('credentials_wrong'));
    if (!secondFactors.admits(row, input.code, context.address)) return fail(message('second_factor_code_wrong'));
    limits.succeed(input.username, context.address);
    return this.begin(context, row.idp_user_id);
  }

  /** Starts a session for an authenticated account. @throws AppError `unauthenticated` if the account is disabled. */
  begin(context: CallContext, idpUserId: string): StartedSession & { user: Account } {
    const { accounts, sessions, audit, clock } = this.#parts;
    const { session_id, ...session } = sessions.begin(idpUserId, context);
    const principal = accounts.findPrincipal(idpUserId, session_id);
    if (!principal) {
      sessions.end(session_id);
      throw new AppError('unauthenticated', message('account_cannot_sign_in'));
    }
    accounts.noteAccess(idpUserId, clock.iso());
    const user = this.#present(principal, context.baseUrl);
    audit.noteOf(principal.email, context.address, 'login', user.username);
    return { session, user };
  }

  logout(context: CallContext): { message: string } {
    const { email, session_id } = context.principal;
    if (session_id !== null) {
      this.#parts.sessions.end(session_id);
      this.#parts.audit.note(context, 'logout', email);
      this.#announceEnd(context, [session_id]);
    }
    return { message: 'You are signed out' };
  }

  logoutEverywhere(context: CallContext): { message: string } {
    const { accounts, sessions, audit } = this.#parts;
    const row = accounts.findByUser(context.principal.user_id);
    if (row) {
      const ended = sessions.endAllOf(row.idp_user_id);
      audit.note(context, 'sessions_ended', row.username);
      this.#announceEnd(context, ended);
    }
    return { message: 'You are signed out everywhere' };
  }

  getAccount({ principal, baseUrl }: CallContext): Account {
    return this.#present(principal, baseUrl);
  }

  /**
   * Changes the password and ends all other sessions.
   * @throws AppError `invalid_input` for a wrong current password, `invalid_request` for an account without a password,
   * `too_many_requests`.
   */
  async changePassword(
    context: CallContext,
    input: { current_password: string; password: string },
  ): Promise<{ message: string }> {
    const { accounts, sessions, ownPassword, audit } = this.#parts;
    const { principal } = context;
    const row = await ownPassword.confirm(context, input.current_password);
    if (input.password === input.current_password) {
      throw invalidField('password', message('password_same'));
    }
    await assertGoodPassword(input.password, row.username);
    const hash = await hashPassword(input.password);
    ownPassword.assertUnchanged(row);
    accounts.setPassword(row.idp_user_id, hash);
    const ended = sessions.endAllOf(row.idp_user_id, principal.session_id);
    audit.note(context, 'password_changed', row.username);
    this.#announceEnd(context, ended);
    return { message: 'Your password was changed' };
  }

  listSessions({ principal }: CallContext): { sessions: AccountSession[] } {
    const { accounts, sessions } = this.#parts;
    const row = accounts.findByUser(principal.user_id);
    const rows = row ? sessions.listOf(row.idp_user_id) : [];
    return {
      sessions: rows.map(({ session_id, ip_address, client, started_at, last_access_at }) => ({
        ...{ session_id, ip_address, client, started_at, last_access_at },
        is_current: session_id === principal.session_id,
      })),
    };
  }

  /** @throws AppError `not_found` for a session that does not belong to the caller. */
  endSession(context: CallContext, { session_id }: { session_id: string }): { ended: true } {
    const isOwn = this.listSessions(context).sessions.some((session) => session.session_id === session_id);
    if (!isOwn || !this.#parts.sessions.end(session_id)) throw new AppError('not_found', message('session_not_found'));
    this.#parts.audit.note(context, 'sessions_ended', context.principal.email, { session_id });
    this.#announceEnd(context, [session_id]);
    return { ended: true };
  }

  /** Notifies the owner of an account, once per series of failed attempts. */
  #notifyOfFailures(userId: string, nAttempts: number): void {
    const { notifications } = this.#parts;
    const sentences = {
      title: message('sign_in_failures_title'),
      message: message('sign_in_failures', { count: nAttempts }),
    };
    notifications.add([userId], {
      entity_type: 'account',
      entity_id: userId,
      title: formatMessage(sentences.title),
      message: formatMessage(sentences.message),
      metadata: {
        ...{ view_name: '', dataset_name: '', result_count: nAttempts, batch_id: '', is_alert: false },
        ...{ shared_by: null, media_ids: [], sentences },
      },
      dataset_id: null,
    });
    this.#parts.events.emit('notifications_changed', {});
  }

  #announceEnd({ principal }: CallContext, ended: readonly string[]): void {
    this.#parts.events.emit('sessions_ended', { user_id: principal.user_id, session_ids: ended });
  }

  #present(principal: Principal, baseUrl: string): Account {
    const { mode, accounts, memberships } = this.#parts;
    const row = accounts.findByUser(principal.user_id);
    const { user_id, email, name, role, workspace_id, in_primary_workspace, realm_roles } = principal;
    const { must_change_password, is_local_owner } = principal;
    return {
      ...{ user_id, email, name, role, workspace_id, in_primary_workspace, must_change_password, is_local_owner },
      ...mode,
      realm_roles: [...realm_roles],
      may_create_datasets: memberships.homeOf(principal) !== undefined,
      username: row?.username ?? email,
      has_password: row !== undefined && row.password_hash !== null,
      oidc: this.#parts.oidc,
      api_url: `${baseUrl}/api/v1`,
      features: this.#parts.settings.features(),
    };
  }
}
