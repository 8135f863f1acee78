import { AppError } from '../../contract/errors.ts';
import type { Credentials, Principal } from '../core.ts';
import type { Clock } from '../ports/clock.ts';
import type { AccountRepository } from './account.repository.ts';
import type { CommandKey } from './command-key.ts';
import type { CredentialRepository } from './credential.repository.ts';
import type { ServiceMode } from './service-mode.ts';
import type { SessionService } from './session.service.ts';
import type { TokenVerifier } from './token-verifier.ts';

/** A use of an API key is written down so often. */
const NOTE_MS = 60_000;

export interface AuthenticatorParts {
  mode: ServiceMode;
  owner: Principal;
  accounts: AccountRepository;
  sessions: SessionService;
  credentials: CredentialRepository;
  tokens: TokenVerifier;
  commands: CommandKey;
  clock: Clock;
}

/**
 * Who a caller is. Roles, and whether the account is enabled and its key or session still there, are read anew at every call, which takes
 * some microseconds: what an admin takes away is gone at once.
 */
export class Authenticator {
  readonly #parts: AuthenticatorParts;
  /** When the last use of a key was written down. */
  readonly #noted = new Map<string, number>();

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  /** @throws AppError `unauthenticated`, in the same words for everything that is wrong. */
  async authenticate({ bearer, session }: Credentials): Promise<Principal> {
    const { mode, owner } = this.#parts;
    if (!mode.authentication) return owner;
    const principal = bearer === undefined ? this.#bySession(session) : await this.#byToken(bearer);
    if (!principal) throw new AppError('unauthenticated', 'Sign in, or send a valid token');
    return principal;
  }

  #bySession(token: string | undefined): Principal | undefined {
    const session = token === undefined ? undefined : this.#parts.sessions.find(token);
    return session && this.#parts.accounts.findPrincipal(session.idp_user_id, session.session_id);
  }

  async #byToken(token: string): Promise<Principal | undefined> {
    const { tokens, accounts, commands, owner } = this.#parts;
    if (commands.fits(token)) return owner;
    const apiKey = await tokens.verify(token);
    const principal = apiKey === undefined ? undefined : accounts.findPrincipalOfKey(apiKey);
    if (principal && apiKey !== undefined) this.#noteUse(apiKey);
    return principal;
  }

  #noteUse(apiKey: string): void {
    const { credentials, clock } = this.#parts;
    const now = clock.now();
    if (now - (this.#noted.get(apiKey) ?? 0) < NOTE_MS) return;
    this.#noted.set(apiKey, now);
    credentials.noteUse(apiKey, clock.iso());
  }
}
