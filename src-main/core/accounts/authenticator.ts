import { AppError } from '../../contract/errors.ts';
import type { Caller, Credentials, Principal } from '../core.ts';
import type { ServiceMode } from './service-mode.ts';

/** Who a caller is. */
export class Authenticator {
  readonly #mode: ServiceMode;
  readonly #owner: Principal;

  constructor({ mode, owner }: { mode: ServiceMode; owner: Principal }) {
    this.#mode = mode;
    this.#owner = owner;
  }

  /** @throws AppError `unauthenticated`. */
  async authenticate(_credentials: Credentials, _caller: Caller): Promise<Principal> {
    if (!this.#mode.authentication) return this.#owner;
    throw new AppError('unauthenticated', 'Sign in first');
  }
}
