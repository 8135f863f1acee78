import { AppError, invalidField } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { CallContext } from '../core.ts';
import type { AccountRepository, LoginRow } from './account.repository.ts';
import type { LoginLimits } from './login-limits.ts';
import { verifyPassword } from './password.ts';

/** Confirms with the current password that the owner of an account, and not somebody at an unlocked screen, makes a change. */
export class OwnPassword {
  readonly #accounts: AccountRepository;
  readonly #limits: LoginLimits;

  constructor(accounts: AccountRepository, limits: LoginLimits) {
    this.#accounts = accounts;
    this.#limits = limits;
  }

  /**
   * @returns The caller's account.
   * @throws AppError `invalid_input` for a wrong password, `invalid_request` for an account without a password, `too_many_requests`.
   */
  async confirm({ principal, address }: CallContext, currentPassword: string): Promise<LoginRow> {
    const row = this.#accounts.findByUser(principal.user_id);
    if (!row || row.password_hash === null) {
      throw new AppError('invalid_request', message('account_without_password'));
    }
    this.#limits.take(row.username, address);
    if (!(await verifyPassword(row.password_hash, currentPassword))) {
      throw invalidField('current_password', message('password_wrong'));
    }
    this.#limits.succeed(row.username, address);
    this.assertUnchanged(row);
    return row;
  }

  /** @throws AppError `invalid_request` if the account was disabled or its password changed since it was read. */
  assertUnchanged(row: LoginRow): void {
    if (!this.#accounts.isUnchanged(row)) {
      throw new AppError('invalid_request', message('account_changed'));
    }
  }
}
