import { hash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { AppError, invalidField } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { SecondFactor } from '../../contract/schemas/account.ts';
import type { CallContext } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { SecretBox } from '../ports/secret-box.ts';
import type { AccountRepository, LoginRow } from './account.repository.ts';
import type { AuditService } from './audit.service.ts';
import type { LoginLimits } from './login-limits.ts';
import type { OwnPassword } from './own-password.ts';
import type { SecondFactorRepository } from './second-factor.repository.ts';

/** Name that authenticator apps show above the username. */
const ISSUER = 'Vitrine';
const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** Number of time steps by which the clock of an authenticator may differ. */
const WINDOW_STEPS = 1;
const N_RECOVERY_CODES = 10;
const RECOVERY_CODE_BYTES = 8;

export interface SecondFactorParts {
  catalog: Catalog;
  accounts: AccountRepository;
  factors: SecondFactorRepository;
  ownPassword: OwnPassword;
  limits: LoginLimits;
  box: SecretBox;
  audit: AuditService;
  clock: Clock;
}

/** A second factor for logins with a password: one-time codes by time (TOTP, RFC 6238), and recovery codes in place of a lost device. */
export class SecondFactorService {
  readonly #parts: SecondFactorParts;

  /** The operations that this service handles. */
  readonly handlers = {
    get_second_factor: (context) => this.get(context),
    start_second_factor: (context, input) => this.start(context, input),
    confirm_second_factor: (context, input) => this.confirm(context, input),
    remove_second_factor: (context, input) => this.remove(context, input),
  } satisfies SomeHandlers;

  constructor(parts: SecondFactorParts) {
    this.#parts = parts;
  }

  get({ principal }: CallContext): SecondFactor {
    const { accounts, factors } = this.#parts;
    const row = accounts.findByUser(principal.user_id);
    const isOn = row !== undefined && factors.find(row.idp_user_id)?.confirmed_at != null;
    return { is_on: isOn, n_recovery_codes: isOn ? factors.countRecoveryCodes(row.idp_user_id) : 0 };
  }

  /**
   * Creates a secret. Logins need no code until {@link confirm}.
   * @throws AppError `conflict` if a second factor is on, and as {@link OwnPassword.confirm}.
   */
  async start(context: CallContext, input: { current_password: string }): Promise<{ secret: string; uri: string }> {
    const { factors, ownPassword, box } = this.#parts;
    const { idp_user_id, username } = await ownPassword.confirm(context, input.current_password);
    if (factors.find(idp_user_id)?.confirmed_at != null) {
      throw new AppError('conflict', message('second_factor_on'));
    }
    const secret = new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer });
    factors.start(idp_user_id, box.seal(secret.base32));
    return { secret: secret.base32, uri: generatorOf(secret.base32, username).toString() };
  }

  /**
   * Turns the second factor on.
   * @returns Recovery codes, each of which replaces one code. They are stored as hashes.
   * @throws AppError `invalid_request` if no secret waits for its first code; `invalid_input` for a wrong code; `too_many_requests`.
   */
  confirm(context: CallContext, { code }: { code: string }): { recovery_codes: string[] } {
    const { catalog, factors, audit, clock } = this.#parts;
    const account = this.#accountOf(context);
    const factor = factors.find(account.idp_user_id);
    if (!factor || factor.confirmed_at !== null) {
      throw new AppError('invalid_request', message('second_factor_without_secret'));
    }
    this.#assertAccepted(context, account, () => this.#acceptsStep(account, code));
    const codes = Array.from({ length: N_RECOVERY_CODES }, newRecoveryCode);
    catalog.transaction(() => {
      factors.confirm(account.idp_user_id, clock.iso(), codes.map(hashOf));
      audit.note(context, 'second_factor_added', account.username);
    });
    return { recovery_codes: codes };
  }

  /** @throws AppError `not_found` if there is no second factor; `invalid_input` for a wrong code; `too_many_requests`. */
  remove(context: CallContext, { code }: { code: string }): { message: string } {
    const { catalog, factors, audit } = this.#parts;
    const account = this.#accountOf(context);
    if (factors.find(account.idp_user_id)?.confirmed_at == null) {
      throw new AppError('not_found', message('second_factor_off'));
    }
    this.#assertAccepted(context, account, () => this.#accepts(account, code, context.address));
    catalog.transaction(() => {
      factors.delete(account.idp_user_id);
      audit.note(context, 'second_factor_removed', account.username);
    });
    return { message: 'The second factor is off' };
  }

  /**
   * Checks the code of a login whose password was right. Accounts without a second factor need none.
   * @returns Whether the login may continue.
   * @throws AppError `second_factor_required` if the code is missing.
   */
  admits(account: LoginRow, code: string | undefined, address: string): boolean {
    if (this.#parts.factors.find(account.idp_user_id)?.confirmed_at == null) return true;
    if (code === undefined) {
      throw new AppError('second_factor_required', message('second_factor_code_required'));
    }
    return this.#accepts(account, code, address);
  }

  #accountOf({ principal }: CallContext): LoginRow {
    const account = this.#parts.accounts.findByUser(principal.user_id);
    if (!account) throw new AppError('invalid_request', message('account_without_password'));
    return account;
  }

  /** Accepts each code and each recovery code once. */
  #accepts(account: LoginRow, code: string, address: string): boolean {
    if (this.#acceptsStep(account, code)) return true;
    if (!this.#parts.factors.spendRecoveryCode(account.idp_user_id, hashOf(code))) return false;
    this.#parts.audit.noteOf(account.username, address, 'recovery_code_used', account.username);
    return true;
  }

  #acceptsStep({ idp_user_id, username }: LoginRow, code: string): boolean {
    const { factors, box, clock } = this.#parts;
    const secret = box.open(factors.find(idp_user_id)?.secret ?? '');
    if (secret === undefined) return false;
    const now = clock.now();
    const digits = code.replace(/\s/g, '');
    const delta = generatorOf(secret, username).validate({ token: digits, timestamp: now, window: WINDOW_STEPS });
    const step = Math.floor(now / 1000 / PERIOD_S);
    return delta !== null && factors.spendStep(idp_user_id, step + delta, step + WINDOW_STEPS);
  }

  #assertAccepted({ address }: CallContext, { username }: LoginRow, accepts: () => boolean): void {
    this.#parts.limits.take(username, address);
    if (!accepts()) {
      throw invalidField('code', message('code_wrong'));
    }
    this.#parts.limits.succeed(username, address);
  }
}

function generatorOf(secret: string, username: string): TOTP {
  return new TOTP({ issuer: ISSUER, label: username, secret, digits: 6, period: PERIOD_S });
}

/** Two groups of eight hexadecimal digits: 64 random bits. */
function newRecoveryCode(): string {
  const digits = randomBytes(RECOVERY_CODE_BYTES).toString('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

function hashOf(code: string): string {
  return hash('sha256', code.replace(/[\s-]/g, '').toLowerCase());
}
