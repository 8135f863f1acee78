import type { AppEvent, AppEventName, AppEvents } from '../contract/events.ts';

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
}
