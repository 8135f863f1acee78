import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../contract/errors.ts';

const WINDOW_S = 15 * 60;
/** Wrong passwords of one account, and of all accounts from one address, within the window. */
const OF_ACCOUNT = 20;
const OF_ADDRESS = 100;

/** How often somebody may try passwords. Successes do not count. */
export class LoginLimits {
  readonly #ofAccount = new RateLimiterMemory({ points: OF_ACCOUNT, duration: WINDOW_S });
  readonly #ofAddress = new RateLimiterMemory({ points: OF_ADDRESS, duration: WINDOW_S });

  /** Counts a try, before it is known how it ends. @throws AppError `too_many_requests`. */
  async take(account: string, address: string): Promise<void> {
    try {
      // An address that has tried too often tells no more accounts apart, and fills no memory with their names.
      await this.#ofAddress.consume(address);
      await this.#ofAccount.consume(account.toLowerCase());
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const minutes = Math.ceil(error.msBeforeNext / 60_000);
      throw new AppError(
        'too_many_requests',
        `Too many tries; try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`,
      );
    }
  }

  /** Takes the try back that succeeded, with what failed before it. */
  async succeed(account: string, address: string): Promise<void> {
    await this.#ofAddress.reward(address);
    await this.#ofAccount.delete(account.toLowerCase());
  }
}
