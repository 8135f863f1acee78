import type { StreamedEvent } from '../../contract/events.ts';
import type { Notification } from '../../contract/schemas/notification.ts';
import type { EventBus } from '../events.ts';
import type { UrlReader } from '../media/media-urls.ts';
import type { Log } from '../ports/log.ts';
import type { NotificationRow, NotificationScope } from './notification.repository.ts';

/** Number of notifications per read. */
const PAGE = 100;
/** Wait after a failed read before the next one, in milliseconds; an event ends the wait earlier. */
const RETRY_MS = 3000;
/** Maximum number of cached pages, which listeners share. */
const MAX_PAGES = 100;

type Read = (scope: NotificationScope, place: number, limit: number) => NotificationRow[];
type Present = (row: NotificationRow, reader: UrlReader) => Notification;

/**
 * Streams notifications to listeners. Each listener continues from the position of the last notification that it received, so none is lost
 * or sent twice, and nothing is buffered for slow readers. A page is cached for all listeners of the same user, dataset, base URL and
 * position.
 */
export class NotificationFeed {
  readonly #read: Read;
  readonly #present: Present;
  readonly #log: Log;
  readonly #waiting = new Set<() => void>();
  readonly #pages = new Map<string, readonly StreamedEvent[]>();

  constructor(parts: { read: Read; present: Present; events: EventBus; log: Log }) {
    this.#read = parts.read;
    this.#present = parts.present;
    this.#log = parts.log;
    parts.events.subscribe(({ name }) => {
      if (name === 'notifications_changed') this.#wake();
    });
  }

  /** Yields the notifications after a position, stored ones first and then new ones, until the signal aborts. */
  async *follow(
    scope: NotificationScope,
    { after, reader }: { after: number; reader: UrlReader },
    signal: AbortSignal,
  ): AsyncGenerator<StreamedEvent> {
    for (let place = after; !signal.aborted; ) {
      let events: readonly StreamedEvent[] = [];
      let retryMs: number | undefined;
      try {
        events = this.#page(scope, place, reader);
      } catch (error) {
        this.#log.error({ err: error }, 'notifications could not be read');
        yield { name: 'error', data: { detail: 'Notifications cannot be read at the moment' } };
        retryMs = RETRY_MS;
      }
      for (const event of events) {
        yield event;
        place = Number(event.id);
      }
      if (events.length === 0) await this.#untilChanged(signal, retryMs);
    }
  }

  #page(scope: NotificationScope, place: number, reader: UrlReader): readonly StreamedEvent[] {
    const key = JSON.stringify([scope.viewer.user_id, scope.dataset_id, reader.baseUrl, place]);
    const known = this.#pages.get(key);
    if (known) return known;
    const page = this.#read(scope, place, PAGE).map((row) => ({
      name: 'notification',
      data: this.#present(row, reader),
      id: String(row.place),
    }));
    if (this.#pages.size >= MAX_PAGES) this.#pages.clear();
    this.#pages.set(key, page);
    return page;
  }

  #wake(): void {
    this.#pages.clear();
    for (const wake of this.#waiting) wake();
  }

  #untilChanged(signal: AbortSignal, limitMs: number | undefined): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = limitMs === undefined ? undefined : setTimeout(wake, limitMs);
      signal.addEventListener('abort', wake);
      this.#waiting.add(wake);
    });
  }
}
