import type { EventAudience } from './access/event-audience.ts';
import type { EventBus } from './events.ts';
import type { SomeHandlers } from './handlers.ts';

interface Parts {
  events: EventBus;
  audience: EventAudience;
  version: string;
}

/** Reports that the service runs, and streams its events. */
export class SystemService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    healthcheck: () => ({
      status: 'Green',
      'service-health-message': 'Vitrine answers',
      version: this.#parts.version,
    }),
    stream_events: ({ principal, signal }) => {
      const { events, audience } = this.#parts;
      const until = events.untilAccessChanges(principal, signal);
      return events.follow((event) => audience.includes(principal, event), until);
    },
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }
}
