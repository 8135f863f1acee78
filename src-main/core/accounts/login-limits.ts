import { LRUCache } from 'lru-cache';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Clock } from '../ports/clock.ts';
import type { KnownAddresses } from './known-addresses.ts';

/** Failed attempts are dropped when this time has passed without a further one. */
const MEMORY_MS = 15 * 60_000;
/** Maximum number of accounts and addresses whose failed attempts are remembered. */
const MAX_REMEMBERED = 50_000;

/** Number of failed attempts of one account from one address before its attempts are delayed. */
const FREE_OF_PAIR = 5;
/** Delay after the first attempt beyond {@link FREE_OF_PAIR}; it doubles with each further one. */
const FIRST_DELAY_MS = 5000;
const MAX_DELAY_MS = 5 * 60_000;

/** Failed attempts of one account from all addresses before unknown addresses share one attempt per {@link SHARED_DELAY_MS}. */
const FREE_OF_ACCOUNT = 20;
/** Failed attempts from one address, for all accounts together, before the address is delayed. */
const FREE_OF_ADDRESS = 100;
const SHARED_DELAY_MS = 1000;

interface Attempts {
  count: number;
  last_at: number;
}

/**
 * Delays the guessing of passwords per pair of account and address, so that nobody can lock out another user. An address from which the
 * account has signed in before is delayed only by its own failures.
 */
export class LoginLimits {
  readonly #attempts = new LRUCache<string, Attempts>({ max: MAX_REMEMBERED });
  readonly #known: KnownAddresses;
  readonly #clock: Clock;

  constructor(known: KnownAddresses, clock: Clock) {
    this.#known = known;
    this.#clock = clock;
  }

  /**
   * Counts an attempt before its result is known.
   * @returns Number of recent attempts with a wrong password for this account, including this attempt.
   * @throws AppError `too_many_requests` with the time to wait; such an attempt is not counted.
   */
  take(username: string, address: string): number {
    const account = username.toLowerCase();
    const { pair, ofAccount, ofAddress } = this.#keysOf(account, address);
    const isKnown = this.#known.has(account, address);
    const waitMs = Math.max(
      this.#waitMs(pair, (count) => delayOfPair(count)),
      isKnown ? 0 : this.#waitMs(ofAccount, (count) => (count < FREE_OF_ACCOUNT ? 0 : SHARED_DELAY_MS)),
      isKnown ? 0 : this.#waitMs(ofAddress, (count) => (count < FREE_OF_ADDRESS ? 0 : SHARED_DELAY_MS)),
    );
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new AppError('too_many_requests', message('too_many_attempts', { count: seconds }));
    }
    this.#count(pair);
    this.#count(ofAddress);
    return this.#count(ofAccount);
  }

  /** Clears the failed attempts of an account from an address, and remembers that the account signed in from there. */
  succeed(username: string, address: string): void {
    const account = username.toLowerCase();
    const { pair, ofAccount, ofAddress } = this.#keysOf(account, address);
    const nOwn = this.#attempts.peek(pair)?.count ?? 0;
    this.#attempts.delete(pair);
    for (const key of [ofAccount, ofAddress]) {
      const others = this.#attempts.peek(key);
      if (others) this.#attempts.set(key, { ...others, count: Math.max(0, others.count - nOwn) });
    }
    this.#known.add(account, address);
  }

  #waitMs(key: string, delayOf: (count: number) => number): number {
    const attempts = this.#recent(key);
    return attempts ? attempts.last_at + delayOf(attempts.count) - this.#clock.ticksMs() : 0;
  }

  #count(key: string): number {
    const count = (this.#recent(key)?.count ?? 0) + 1;
    this.#attempts.set(key, { count, last_at: this.#clock.ticksMs() });
    return count;
  }

  #recent(key: string): Attempts | undefined {
    const attempts = this.#attempts.get(key);
    return attempts && this.#clock.ticksMs() - attempts.last_at < MEMORY_MS ? attempts : undefined;
  }

  #keysOf(account: string, address: string) {
    return { pair: `${address} ${account}`, ofAccount: `account ${account}`, ofAddress: `address ${address}` };
  }
}

/** Delay in milliseconds before the next attempt. */
function delayOfPair(count: number): number {
  return count < FREE_OF_PAIR ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - FREE_OF_PAIR));
}
