import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import type { EventAudience } from './access/event-audience.ts';
import type { EventBus } from './events.ts';
import type { SomeHandlers } from './handlers.ts';
import type { Catalog } from './ports/catalog.ts';

interface Parts {
  catalog: Catalog;
  events: EventBus;
  audience: EventAudience;
  version: string;
}

/** Reports whether the service runs and can work, and streams its events. */
export class SystemService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    healthcheck: () => ({
      status: 'Green',
      'service-health-message': 'Vitrine answers',
      version: this.#parts.version,
    }),
    readiness: () => this.readiness(),
    stream_events: ({ principal, signal }) => {
      const { events, audience } = this.#parts;
      const until = events.untilAccessChanges(principal, signal);
      return events.follow((event) => audience.includes(principal, event), until);
    },
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws AppError `unavailable` if the catalog cannot be read. */
  readiness(): { status: 'ready' } {
    try {
      this.#parts.catalog.find('SELECT 1 FROM user LIMIT 1');
    } catch {
      throw new AppError('unavailable', message('catalog_unreadable'));
    }
    return { status: 'ready' };
  }
}
