import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import type { Principal } from './core.ts';
import type { SettingsService } from './settings/settings.service.ts';

/** Limits the calls of one account that run at the same time, so that no account takes the threads of a shared server for itself. */
export class WorkBudget {
  readonly #settings: Pick<SettingsService, 'number'>;
  /** Number of running calls by user id. */
  readonly #running = new Map<string, number>();

  constructor(settings: Pick<SettingsService, 'number'>) {
    this.#settings = settings;
  }

  /**
   * Counts a call until the returned function runs. The local owner, who shares the machine with nobody, has no limit.
   * @throws AppError `too_many_requests` if the account has the maximum number of running calls (`CALLS_PER_USER`).
   */
  enter({ user_id, is_local_owner }: Pick<Principal, 'user_id' | 'is_local_owner'>): () => void {
    if (is_local_owner) return () => undefined;
    const running = this.#running.get(user_id) ?? 0;
    const limit = this.#settings.number('CALLS_PER_USER');
    if (running >= limit) {
      throw new AppError('too_many_requests', message('too_many_calls', { n: running }));
    }
    this.#running.set(user_id, running + 1);
    return () => {
      const left = (this.#running.get(user_id) ?? 1) - 1;
      if (left > 0) this.#running.set(user_id, left);
      else this.#running.delete(user_id);
    };
  }
}
