const BEAT_MS = 3000;

/** Tells all open streams every three seconds that it is time for a sign of life: one timer for all, while there are any. */
export class Heartbeat {
  readonly #beats = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  /** Calls back with each beat until the returned function is called. */
  join(beat: () => void): () => void {
    this.#beats.add(beat);
    this.#timer ??= setInterval(() => {
      for (const each of this.#beats) each();
    }, BEAT_MS);
    return () => {
      this.#beats.delete(beat);
      if (this.#beats.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }
}
