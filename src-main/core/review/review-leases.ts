import { LRUCache } from 'lru-cache';
import type { Clock } from '../ports/clock.ts';

/** Time for which an entry is reserved; each further request of the user renews it. */
const LEASE_MS = 5 * 60_000;
/** Maximum number of queues whose reservations are remembered. */
const MAX_QUEUES = 1000;

interface Lease {
  user: string;
  /** In monotonic milliseconds. */
  until: number;
}

/** Entries that users have on their screens, so that two users get different ones. Lost with the process, which costs nothing. */
export class ReviewLeases {
  readonly #clock: Clock;
  readonly #queues = new LRUCache<string, Map<string, Lease>>({ max: MAX_QUEUES });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the entries of a queue that other users have. */
  heldByOthers(queue: string, user: string): Set<string> {
    const now = this.#clock.ticksMs();
    const others = new Set<string>();
    for (const [id, lease] of this.#queues.get(queue) ?? []) {
      if (lease.user !== user && lease.until > now) others.add(id);
    }
    return others;
  }

  /** Reserves entries for a user and releases the user's others. */
  take(queue: string, user: string, ids: readonly string[]): void {
    const now = this.#clock.ticksMs();
    const held = [...(this.#queues.get(queue) ?? [])].filter(([, lease]) => lease.user !== user && lease.until > now);
    const leases = ids.map((id): [string, Lease] => [id, { user, until: now + LEASE_MS }]);
    this.#queues.set(queue, new Map([...held, ...leases]));
  }
}
