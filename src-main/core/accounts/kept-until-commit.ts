import type { Catalog } from '../ports/catalog.ts';

const MOST_KEPT = 10_000;

/** What was made of rows of the catalog, until anything is committed. Inside a transaction nothing is kept, nor found. */
export class KeptUntilCommit<Value> {
  readonly #catalog: Catalog;
  readonly #kept = new Map<string, Value>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    catalog.onCommit(() => this.#kept.clear());
  }

  get(key: string): Value | undefined {
    return this.#catalog.isInTransaction() ? undefined : this.#kept.get(key);
  }

  /** Right after its rows were read, in the same call: what is committed in between would be missed. */
  set(key: string, value: Value): void {
    if (this.#catalog.isInTransaction()) return;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(key, value);
  }
}
