/** Minimum interval between two samples, in milliseconds. */
const MIN_STEP_MS = 200;

/** Recent growth rate of a count, over a sliding window. */
export class SlidingRate {
  readonly #windowMs: number;
  readonly #minSpanMs: number;
  #samples: { at_ms: number; count: number }[] = [];

  /**
   * @param windowMs Length of the window in milliseconds; older samples are dropped.
   * @param minSpanMs Minimum time in milliseconds that the samples must span; a rate over less is unreliable.
   */
  constructor(windowMs: number, minSpanMs: number) {
    this.#windowMs = windowMs;
    this.#minSpanMs = minSpanMs;
  }

  add(count: number, nowMs: number): void {
    const last = this.#samples.at(-1);
    const before = this.#samples.at(-2);
    // Replaces the last sample while it is closer than the minimum interval to the one before, so that the newest count is always stored.
    if (last && before && last.at_ms - before.at_ms < MIN_STEP_MS) this.#samples.pop();
    this.#samples.push({ at_ms: nowMs, count });
    while ((this.#samples[0]?.at_ms ?? nowMs) < nowMs - this.#windowMs) this.#samples.shift();
  }

  reset(): void {
    this.#samples = [];
  }

  /** Growth per second; null if the samples span too little time or the count did not grow. */
  get perSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last || last.at_ms - first.at_ms < this.#minSpanMs || last.count <= first.count) return null;
    return ((last.count - first.count) * 1000) / (last.at_ms - first.at_ms);
  }
}
