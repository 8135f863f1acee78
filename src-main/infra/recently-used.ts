/** Caches values by key, and drops the least recently used. */
export class RecentlyUsed<Value> {
  readonly #most: number;
  /** Cached values, least recently used first. */
  readonly #kept = new Map<string, Value>();

  /** @param most Maximum number of cached values. */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, make: () => Value): Value {
    const known = this.find(key);
    return known === undefined ? this.set(key, make()) : known;
  }

  find(key: string): Value | undefined {
    const known = this.#kept.get(key);
    return known === undefined ? undefined : this.set(key, known);
  }

  set(key: string, value: Value): Value {
    this.#kept.delete(key);
    this.#kept.set(key, value);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#most) break;
      this.#kept.delete(oldest);
    }
    return value;
  }

  clear(): void {
    this.#kept.clear();
  }
}
