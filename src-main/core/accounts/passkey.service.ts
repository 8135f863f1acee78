import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { LRUCache } from 'lru-cache';
import { AppError, invalidField } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Passkey, WebAuthnAnswer } from '../../contract/schemas/account.ts';
import type { CallContext } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { AccountRepository } from './account.repository.ts';
import type { AuditService } from './audit.service.ts';
import type { LoginService } from './login.service.ts';
import type { OwnPassword } from './own-password.ts';
import type { PasskeyRepository, PasskeyRow } from './passkey.repository.ts';

const CHALLENGE_BYTES = 32;
/** Time to answer a challenge, in milliseconds. */
const CHALLENGE_LIFETIME_MS = 5 * 60_000;
/** Maximum number of unanswered challenges; the oldest is dropped. */
const MAX_CHALLENGES = 10_000;
const MAX_PASSKEYS = 20;

export interface PasskeyParts {
  catalog: Catalog;
  accounts: AccountRepository;
  passkeys: PasskeyRepository;
  ownPassword: OwnPassword;
  logins: LoginService;
  audit: AuditService;
  clock: Clock;
}

/**
 * Passkeys (WebAuthn Level 3): logins by an authenticator that verifies its user, without a password and without a second factor. Only
 * accounts with a password have them; accounts of another identity provider sign in there.
 */
export class PasskeyService {
  readonly #parts: PasskeyParts;
  /** Purpose of each unanswered challenge: the account that adds a passkey, or null for a login. */
  readonly #challenges = new LRUCache<string, { idp_user_id: string | null }>({
    max: MAX_CHALLENGES,
    ttl: CHALLENGE_LIFETIME_MS,
  });

  /** The operations that this service handles. */
  readonly handlers = {
    begin_passkey_login: (context) => this.beginLogin(context),
    login_with_passkey: (context, input) => this.login(context, input),
    list_passkeys: (context) => this.list(context),
    begin_passkey: (context, input) => this.beginAdding(context, input),
    add_passkey: (context, input) => this.add(context, input),
    remove_passkey: (context, input) => this.remove(context, input),
  } satisfies SomeHandlers;

  constructor(parts: PasskeyParts) {
    this.#parts = parts;
  }

  list({ principal }: CallContext): { passkeys: Passkey[] } {
    const row = this.#parts.accounts.findByUser(principal.user_id);
    return { passkeys: row ? this.#parts.passkeys.listOf(row.idp_user_id).map(present) : [] };
  }

  /**
   * Options for `navigator.credentials.create`.
   * @throws AppError `conflict` for an account with the maximum number of passkeys, and as {@link OwnPassword.confirm}.
   */
  async beginAdding(context: CallContext, input: { current_password: string }): Promise<Record<string, unknown>> {
    const { rpID } = partyOf(context);
    const account = await this.#parts.ownPassword.confirm(context, input.current_password);
    const existing = this.#parts.passkeys.listOf(account.idp_user_id);
    if (existing.length >= MAX_PASSKEYS) {
      throw new AppError('conflict', message('too_many_passkeys', { limit: MAX_PASSKEYS }));
    }
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const options = await generateRegistrationOptions({
      rpName: 'Vitrine',
      rpID,
      userName: account.username,
      userID: new TextEncoder().encode(account.idp_user_id),
      challenge: new Uint8Array(randomBytes(CHALLENGE_BYTES)),
      attestationType: 'none',
      excludeCredentials: existing.map((row) => ({ id: row.passkey_id, transports: transportsOf(row) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    this.#challenges.set(options.challenge, { idp_user_id: account.idp_user_id });
    return { ...options };
  }

  /** @throws AppError `invalid_input` for an answer that does not fit a challenge of this account; `conflict` for a known passkey. */
  async add(
    context: CallContext,
    { name, credential }: { name: string; credential: WebAuthnAnswer },
  ): Promise<Passkey> {
    const { catalog, accounts, passkeys, audit, clock } = this.#parts;
    const account = accounts.findByUser(context.principal.user_id);
    if (!account) throw new AppError('invalid_request', message('account_without_password'));
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const { rpID, origin } = partyOf(context);
    const checked = await verifyRegistrationResponse({
      // The library checks every part of the answer.
      response: credential as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => this.#take(challenge, account.idp_user_id),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    }).catch(() => undefined);
    if (!checked?.verified) throw notAccepted();
    const { id, publicKey, counter, transports } = checked.registrationInfo.credential;
    const row: PasskeyRow = {
      passkey_id: id,
      idp_user_id: account.idp_user_id,
      public_key: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: JSON.stringify(transports ?? []),
      name,
      created_at: clock.iso(),
      last_used_at: null,
    };
    catalog.transaction(() => {
      if (passkeys.find(id)) throw new AppError('conflict', message('passkey_registered'));
      passkeys.insert(row);
      audit.note(context, 'passkey_added', account.username, { name });
    });
    return present(row);
  }

  /** @throws AppError `not_found` for a passkey that does not belong to the caller. */
  remove(context: CallContext, { passkey_id }: { passkey_id: string }): { removed: true } {
    const { catalog, accounts, passkeys, audit } = this.#parts;
    const account = accounts.findByUser(context.principal.user_id);
    catalog.transaction(() => {
      if (!account || !passkeys.delete(account.idp_user_id, passkey_id)) {
        throw new AppError('not_found', message('passkey_not_found'));
      }
      audit.note(context, 'passkey_removed', account.username);
    });
    return { removed: true };
  }

  /** Options for `navigator.credentials.get`. They name no account, so that they reveal none. */
  async beginLogin(context: CallContext): Promise<Record<string, unknown>> {
    const { rpID } = partyOf(context);
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    const challenge = new Uint8Array(randomBytes(CHALLENGE_BYTES));
    const options = await generateAuthenticationOptions({ rpID, challenge, userVerification: 'required' });
    this.#challenges.set(options.challenge, { idp_user_id: null });
    return { ...options };
  }

  /** @throws AppError `unauthenticated`, with the same message for every cause. */
  async login(context: CallContext, { credential }: { credential: WebAuthnAnswer }) {
    const { passkeys, logins, audit, clock } = this.#parts;
    const row = passkeys.find(credential.id);
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { rpID, origin } = partyOf(context);
    const checked =
      row &&
      (await verifyAuthenticationResponse({
        response: credential as unknown as AuthenticationResponseJSON,
        expectedChallenge: (challenge) => this.#take(challenge, null),
        expectedOrigin: origin,
        expectedRPID: rpID,
        credential: {
          id: row.passkey_id,
          publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
          counter: row.counter,
          transports: transportsOf(row),
        },
        requireUserVerification: true,
      }).catch(() => undefined));
    // The passkey may have been removed meanwhile.
    if (!row || !checked?.verified || !passkeys.find(row.passkey_id)) {
      audit.noteOf('', context.address, 'login_failed', 'passkey');
      throw new AppError('unauthenticated', message('passkey_unknown'));
    }
    passkeys.noteUse(row.passkey_id, checked.authenticationInfo.newCounter, clock.iso());
    return logins.begin(context, row.idp_user_id);
  }

  /** Accepts each challenge once, and for its purpose only. */
  #take(challenge: string, idpUserId: string | null): boolean {
    const known = this.#challenges.get(challenge);
    this.#challenges.delete(challenge);
    return known !== undefined && known.idp_user_id === idpUserId;
  }
}

/**
 * The relying party of the page that the caller has open.
 * @throws AppError `invalid_request` for an IP address: browsers offer passkeys for host names only.
 */
function partyOf({ baseUrl }: CallContext): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(baseUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    throw new AppError('invalid_request', message('passkey_needs_host_name'));
  }
  return { rpID: hostname, origin };
}

function transportsOf({ transports }: PasskeyRow): AuthenticatorTransport[] {
  return JSON.parse(transports) as AuthenticatorTransport[];
}

function present({ passkey_id, name, created_at, last_used_at }: PasskeyRow): Passkey {
  return { passkey_id, name, created_at, last_used_at };
}

function notAccepted(): AppError {
  return invalidField('credential', message('passkey_rejected'));
}
