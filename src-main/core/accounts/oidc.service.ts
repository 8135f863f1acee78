import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError, type ErrorCode } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { RedirectReply } from '../../contract/operation.ts';
import type { CallContext } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { IdentityProvider, PendingLogin, ProvedIdentity } from '../ports/identity-provider.ts';
import type { AccountRepository } from './account.repository.ts';
import type { AuditService } from './audit.service.ts';
import type { LoginService } from './login.service.ts';
import { createAccount } from './new-account.ts';

const ID_BYTES = 32;
/** Maximum time for a login at the provider, in milliseconds. */
const PATIENCE_MS = 10 * 60_000;
/** Maximum number of pending logins; the oldest is dropped. */
const MAX_PENDING = 10_000;
const USERNAME = /^\S{3,255}$/;
/** A username without `@`: a name that reads as an e-mail address must be a verified one. */
const USERNAME_WITHOUT_ADDRESS = /^[^\s@]{3,255}$/;

export interface OidcParts {
  catalog: Catalog;
  clock: Clock;
  ids: Ids;
  workspaceId: string;
  accounts: AccountRepository;
  logins: LoginService;
  audit: AuditService;
  /** Undefined if none is set. */
  provider: IdentityProvider | undefined;
  /** Whether an unknown user gets an account, as a viewer. */
  createsUsers: boolean;
}

/** Reason for a failed login, as the page knows it. */
type Reason = 'denied' | 'failed' | 'refused' | 'unavailable' | 'unverified';

/** Reason by the error code that the provider's answer led to. */
const REASONS: Partial<Record<ErrorCode, Reason>> = { forbidden: 'denied', unavailable: 'unavailable' };

/** Sign-in by another identity provider (OpenID Connect). */
export class OidcService {
  readonly #parts: OidcParts;
  /** Pending logins by an id that only the browser that started the login has, so that nobody can be signed in by another person's link. */
  readonly #pending = new LRUCache<string, PendingLogin & { return_to: string; until_ms: number }>({
    max: MAX_PENDING,
  });

  /** The operations that this service handles. */
  readonly handlers = {
    begin_oidc_login: (context, input) => this.begin(context, input),
    finish_oidc_login: (context, input) => this.finish(context, input),
  } satisfies SomeHandlers;

  constructor(parts: OidcParts) {
    this.#parts = parts;
  }

  /**
   * Redirects to the provider, or back to the page if the provider cannot be reached.
   * @param input `return_to`: an address within the page, such as `/dataset/…`.
   * @throws AppError `not_found` if no provider is set.
   */
  async begin({ baseUrl }: CallContext, { return_to }: { return_to: string }): Promise<RedirectReply> {
    const started = await this.#provider().begin(`${baseUrl}/api/v1/oidc/callback`).catch(asFailure);
    if ('location' in started) return started;
    const { url, pending } = started;
    const loginId = randomBytes(ID_BYTES).toString('base64url');
    this.#pending.set(loginId, { ...pending, return_to, until_ms: this.#parts.clock.now() + PATIENCE_MS });
    return { location: url, login_id: loginId };
  }

  /** Completes a login. Always redirects to the page, which shows what went wrong. */
  async finish(
    context: CallContext,
    { login_id = '', ...answer }: { login_id?: string | undefined } & Record<string, string | undefined>,
  ): Promise<RedirectReply> {
    const pending = this.#pending.get(login_id);
    this.#pending.delete(login_id);
    if (!pending || pending.until_ms < this.#parts.clock.now()) return failure('failed');
    const sent = Object.entries(answer).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const identity = await this.#provider().finish(pending, Object.fromEntries(sent)).catch(asFailure);
    if ('location' in identity) return identity;
    try {
      const idpUserId = this.#accountOf(identity, context.address);
      if (idpUserId === undefined) return this.#refuse(context, identity);
      const { session } = this.#parts.logins.begin(context, idpUserId);
      return { location: `/#${pending.return_to}`, session };
    } catch (error) {
      // The account is disabled, or its name is taken.
      if (!(error instanceof AppError)) throw error;
      return this.#refuse(context, identity);
    }
  }

  #refuse({ address }: CallContext, identity: ProvedIdentity): RedirectReply {
    const { email, username, subject, has_unverified_email } = identity;
    const name = email ?? username ?? subject;
    this.#parts.audit.noteOf(name, address, 'login_failed', name, { issuer: identity.issuer });
    return failure(has_unverified_email ? 'unverified' : 'refused');
  }

  /**
   * Finds or creates the account of an identity: the account that it is bound to; else the account with the same verified address, which is
   * then bound to it; else a new account if the settings allow that. Undefined if there is none.
   */
  #accountOf(identity: ProvedIdentity, address: string): string | undefined {
    const { catalog, accounts, audit, createsUsers, workspaceId } = this.#parts;
    const { issuer, subject, email } = identity;
    return catalog.transaction(() => {
      const known = accounts.findByIdentity(issuer, subject);
      if (known) return known.idp_user_id;
      const named = email === null ? undefined : accounts.findByVerifiedEmail(email);
      if (named && accounts.bind(named.idp_user_id, { issuer, subject })) {
        audit.noteOf(named.username, address, 'user_changed', named.username, { issuer });
        return named.idp_user_id;
      }
      if (!createsUsers) return undefined;
      const username = usernameOf(identity);
      audit.noteOf(username, address, 'user_created', username, { workspace_role: 'viewer', issuer: identity.issuer });
      return createAccount(this.#parts, workspaceId, {
        username,
        verified_email: email,
        first_name: identity.first_name,
        last_name: identity.last_name,
        password_hash: null,
        oidc: { issuer: identity.issuer, subject: identity.subject },
        role: 'viewer',
      });
    });
  }

  #provider(): IdentityProvider {
    const { provider } = this.#parts;
    if (!provider) throw new AppError('not_found', message('identity_provider_missing'));
    return provider;
  }
}

/** The verified address; else the name from the provider, unless it reads as an e-mail address; else a name made from the subject. */
function usernameOf({ email, username, subject }: ProvedIdentity): string {
  if (email !== null && USERNAME.test(email)) return email;
  if (username !== null && USERNAME_WITHOUT_ADDRESS.test(username)) return username;
  return `oidc-${subject.replace(/[\s@]/g, '')}`.slice(0, 255);
}

/** Redirect for a failed login. @throws The error, if it is not an AppError. */
function asFailure(error: unknown): RedirectReply {
  if (!(error instanceof AppError)) throw error;
  return failure(REASONS[error.code] ?? 'failed');
}

function failure(reason: Reason): RedirectReply {
  return { location: `/#/login?error=${reason}` };
}
