import { LRUCache } from 'lru-cache';
import type { Catalog } from '../ports/catalog.ts';

/** Maximum number of cached values. */
const MAX_CACHED = 10_000;

/**
 * A cache of values computed from catalog rows, valid until the next commit. Inside a transaction values are neither stored nor returned.
 */
export class CacheUntilCommit<Value extends object> {
  readonly #catalog: Catalog;
  readonly #cached = new LRUCache<string, Value>({ max: MAX_CACHED });

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    catalog.onCommit(() => this.#cached.clear());
  }

  get(key: string): Value | undefined {
    return this.#catalog.isInTransaction() ? undefined : this.#cached.get(key);
  }

  /** Call in the same synchronous step in which the rows were read; otherwise a commit in between would be missed. */
  set(key: string, value: Value): void {
    if (!this.#catalog.isInTransaction()) this.#cached.set(key, value);
  }
}
