import type { AppEvent, AppEventName, AppEvents, StreamedEvent } from '../contract/events.ts';

/** Events kept for who reads slowly. */
const MAX_WAITING = 1000;

/** Hands events to whoever listens. A listener that throws does not keep the others from hearing. */
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
   * Events as they come, until the signal aborts. Who reads so slowly that some would have to be left out is let go: coming back it asks again
   * for everything.
   */
  async *follow(signal: AbortSignal): AsyncGenerator<StreamedEvent> {
    const waiting: AppEvent[] = [];
    let isTooSlow = false;
    let wake: () => void = () => undefined;
    const unsubscribe = this.subscribe((event) => {
      isTooSlow ||= waiting.length === MAX_WAITING;
      if (!isTooSlow) waiting.push(event);
      wake();
    });
    const onAbort = () => wake();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted && !isTooSlow) {
        const event = waiting.shift();
        if (event) yield event;
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
