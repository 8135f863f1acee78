/** Caches finished and pending results by key, and drops the least recently used. */
export class RecentlyUsed<Made> {
  readonly #most: number;
  /** Cached results, least recently used first. */
  readonly #kept = new Map<string, Promise<Made>>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, make: () => Promise<Made>): Promise<Made> {
    const made = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, made);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#most) break;
      this.#kept.delete(oldest);
    }
    return made;
  }
}
