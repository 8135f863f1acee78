import { hash } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Credentials, Principal } from '../core.ts';
import type { Clock } from '../ports/clock.ts';
import type { AccountRepository } from './account.repository.ts';
import type { CacheUntilCommit } from './cache-until-commit.ts';
import type { CommandKey } from './command-key.ts';
import type { CredentialRepository } from './credential.repository.ts';
import type { ServiceMode } from './service-mode.ts';
import { type SessionService, TOUCH_MS } from './session.service.ts';
import type { TokenVerifier } from './token-verifier.ts';

/** Minimum interval between writes of an API key's last use, in milliseconds. */
const NOTE_MS = 60_000;

/** The user of a verified token, and until when the token is valid without being verified again. */
export interface Recognised {
  principal: Principal;
  until_ms: number;
}

export interface AuthenticatorParts {
  mode: ServiceMode;
  owner: Principal;
  accounts: AccountRepository;
  sessions: SessionService;
  credentials: CredentialRepository;
  tokens: TokenVerifier;
  commands: CommandKey;
  clock: Clock;
  /** Cached users by hash of their token. */
  recognised: CacheUntilCommit<Recognised>;
}

/**
 * Authenticates callers. Roles, the account's state, and the key or session are read again after every commit, so that a revoked right ends
 * at once.
 */
export class Authenticator {
  readonly #parts: AuthenticatorParts;
  /** Time of the last write of each key's last use. */
  readonly #noted = new Map<string, number>();

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  /** @throws AppError `unauthenticated`, with the same message for every cause. */
  async authenticate({ bearer, session }: Credentials): Promise<Principal> {
    const { mode, owner, commands, clock, recognised } = this.#parts;
    if (!mode.authentication || (bearer !== undefined && commands.fits(bearer))) return owner;
    const key = hash('sha256', bearer === undefined ? `session ${session}` : `bearer ${bearer}`);
    const known = recognised.get(key);
    if (known && clock.now() < known.until_ms) return known.principal;
    const principal = bearer === undefined ? this.#bySession(key, session) : await this.#byToken(key, bearer);
    if (!principal) throw new AppError('unauthenticated', message('authentication_required'));
    return principal;
  }

  /** Whether the session or token of a signed-in user is still valid. Deleted keys and disabled accounts are reported by events instead. */
  isSignedIn({ session_id, token_until_ms }: Principal): boolean {
    const { clock, sessions } = this.#parts;
    if (token_until_ms !== null && clock.now() >= token_until_ms) return false;
    return session_id === null || sessions.lasts(session_id);
  }

  #bySession(key: string, token: string | undefined): Principal | undefined {
    const { sessions, accounts, recognised } = this.#parts;
    const session = token === undefined ? undefined : sessions.find(token);
    const principal = session && accounts.findPrincipal(session.idp_user_id, session.session_id);
    if (!principal) return undefined;
    const { expires_at, last_access_at } = session;
    const untilMs = Math.min(Date.parse(expires_at), Date.parse(last_access_at) + TOUCH_MS);
    recognised.set(key, { principal, until_ms: untilMs });
    return principal;
  }

  async #byToken(key: string, token: string): Promise<Principal | undefined> {
    const { tokens, accounts, clock, recognised } = this.#parts;
    const verified = await tokens.verify(token);
    if (!verified) return undefined;
    this.#noteUse(verified.api_key);
    const account = accounts.findPrincipalOfKey(verified.api_key);
    if (!account) return undefined;
    const principal = { ...account, token_until_ms: verified.until_ms };
    recognised.set(key, { principal, until_ms: Math.min(verified.until_ms, clock.now() + NOTE_MS) });
    return principal;
  }

  #noteUse(apiKey: string): void {
    const { credentials, clock } = this.#parts;
    const now = clock.now();
    if (Math.abs(now - (this.#noted.get(apiKey) ?? 0)) < NOTE_MS) return;
    this.#noted.set(apiKey, now);
    credentials.noteUse(apiKey, clock.iso());
  }
}
