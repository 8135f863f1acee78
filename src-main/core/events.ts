import type { AppEvent, AppEventName, AppEvents, StreamedEvent } from '../contract/events.ts';
import type { Principal } from './core.ts';

/** Maximum number of events buffered per slow reader. */
const MAX_WAITING = 1000;

/** Delivers events to all listeners. A listener that throws does not prevent delivery to the others. */
export class EventBus {
  readonly #listeners = new Set<(event: AppEvent) => void>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  emit<Name extends AppEventName>(name: Name, data: AppEvents[Name]): void {
    const event = { name, data } as AppEvent;
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  subscribe(listener: (event: AppEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Returns a signal that aborts with the given one, and when the user's permissions change or their session ends: the client must then
   * subscribe again.
   */
  untilAccessChanges(
    { user_id, session_id }: Pick<Principal, 'user_id' | 'session_id'>,
    signal: AbortSignal,
  ): AbortSignal {
    const controller = new AbortController();
    const unsubscribe = this.subscribe(({ name, data }) => {
      if (name === 'access_changed' && data.user_id === user_id) end();
      if (name === 'sessions_ended' && data.user_id === user_id && data.session_ids.includes(session_id)) end();
    });
    const end = () => {
      unsubscribe();
      signal.removeEventListener('abort', end);
      controller.abort();
    };
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    return controller.signal;
  }

  /**
   * Yields the matching events as they occur, until the signal aborts; events from before the abort are still delivered. The stream ends
   * for a reader so slow that events would be lost: the client then connects again and reloads everything.
   */
  async *follow(isIncluded: (event: AppEvent) => boolean, signal: AbortSignal): AsyncGenerator<StreamedEvent> {
    const waiting: AppEvent[] = [];
    let isTooSlow = false;
    let wake: () => void = () => undefined;
    const unsubscribe = this.subscribe((event) => {
      if (!isIncluded(event)) return;
      isTooSlow ||= waiting.length === MAX_WAITING;
      if (!isTooSlow) waiting.push(event);
      wake();
    });
    const onAbort = () => wake();
    signal.addEventListener('abort', onAbort);
    try {
      while (!isTooSlow) {
        const event = waiting.shift();
        if (event) yield event;
        else if (signal.aborted) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      unsubscribe();
      signal.removeEventListener('abort', onAbort);
    }
  }
}
