const BEAT_MS = 3000;

/** One timer for all open streams: calls each of them every three seconds. Runs only while there are streams. */
export class Heartbeat {
  readonly #beats = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  /** Calls the listener on each beat until the returned function is called. */
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
