import { LRUCache } from 'lru-cache';
import type { SomeHandlers } from '../handlers.ts';
import type { Clock } from '../ports/clock.ts';
import type { DatasetContext } from './contexts.ts';

/** Time after which a user who is not noted again no longer counts as present. Screens note their user every 30 seconds. */
const PRESENT_MS = 75_000;
/** Maximum number of datasets whose users are remembered. */
const MAX_DATASETS = 1000;

interface Present {
  email: string;
  name: string;
  /** In monotonic milliseconds. */
  until: number;
}

/** Who is looking at a dataset. In memory only: lost with the process, and noted again by the open screens. */
export class PresenceService {
  readonly #clock: Clock;
  readonly #datasets = new LRUCache<string, Map<string, Present>>({ max: MAX_DATASETS });

  /** The operations that this service handles. */
  readonly handlers = {
    note_presence: (context, input) => this.note(context, input),
  } satisfies SomeHandlers;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  /** Notes that the caller looks at the dataset, or no longer does. @returns The other users who look at it, by e-mail address. */
  note(
    { dataset, principal }: DatasetContext,
    { is_leaving }: { is_leaving: boolean },
  ): { others: { email: string; name: string }[] } {
    const now = this.#clock.ticksMs();
    const known = [...(this.#datasets.get(dataset.dataset_id) ?? [])];
    const others = known.filter(([userId, { until }]) => userId !== principal.user_id && until > now);
    const { email, name } = principal;
    const own: [string, Present][] = is_leaving ? [] : [[principal.user_id, { email, name, until: now + PRESENT_MS }]];
    this.#datasets.set(dataset.dataset_id, new Map([...others, ...own]));
    return {
      others: others
        .map(([, other]) => ({ email: other.email, name: other.name }))
        .sort((a, b) => (a.email < b.email ? -1 : 1)),
    };
  }
}
