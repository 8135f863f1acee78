/** Samples closer together than this tell nothing new. */
const MIN_STEP_MS = 200;

/** How fast a count has grown lately. */
export class SlidingRate {
  readonly #windowMs: number;
  readonly #minSpanMs: number;
  #samples: { at_ms: number; count: number }[] = [];

  /**
   * @param windowMs What is older than this is forgotten.
   * @param minSpanMs A rate over less than this would be chance.
   */
  constructor(windowMs: number, minSpanMs: number) {
    this.#windowMs = windowMs;
    this.#minSpanMs = minSpanMs;
  }

  add(count: number, nowMs: number): void {
    const last = this.#samples.at(-1);
    const before = this.#samples.at(-2);
    // The last sample moves along until it is a step away from the one before it, so that the newest count is always there.
    if (last && before && last.at_ms - before.at_ms < MIN_STEP_MS) this.#samples.pop();
    this.#samples.push({ at_ms: nowMs, count });
    while ((this.#samples[0]?.at_ms ?? nowMs) < nowMs - this.#windowMs) this.#samples.shift();
  }

  reset(): void {
    this.#samples = [];
  }

  /** A second; null while too little is known, and when the count did not grow. */
  get perSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last || last.at_ms - first.at_ms < this.#minSpanMs || last.count <= first.count) return null;
    return ((last.count - first.count) * 1000) / (last.at_ms - first.at_ms);
  }
}
