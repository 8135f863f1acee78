import { setImmediate as nextTurn, setTimeout as rest } from 'node:timers/promises';
import type { Catalog } from '../ports/catalog.ts';
import type { Log } from '../ports/log.ts';

/** Minimum interval in milliseconds between copies. The first change after a pause is copied at once. */
const REST_MS = 10_000;

/**
 * Writes committed changes of the catalog to its file and to a copy beside it, so that settings and tasks survive a lost write-ahead log and a
 * lost or damaged catalog.
 */
export class CatalogKeeper {
  readonly #catalog: Catalog;
  readonly #writeCopy: () => Promise<void>;
  readonly #log: Log;
  readonly #closing = new AbortController();
  #hasChanges = false;
  #work: Promise<void> | undefined;

  constructor(parts: { catalog: Catalog; writeCopy: () => Promise<void>; log: Log }) {
    this.#catalog = parts.catalog;
    this.#writeCopy = parts.writeCopy;
    this.#log = parts.log;
  }

  start(): void {
    const onChange = () => {
      this.#hasChanges = true;
      this.#begin();
    };
    this.#catalog.onCommit(onChange);
    onChange();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#work;
    if (this.#hasChanges) await this.#keep();
  }

  #begin(): void {
    if (this.#closing.signal.aborted) return;
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#hasChanges && !signal.aborted) {
      await nextTurn();
      await this.#keep();
      await rest(REST_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** Writes the copy. Never rejects: a failed copy is written again after the next change. */
  async #keep(): Promise<void> {
    this.#hasChanges = false;
    try {
      this.#catalog.checkpoint();
      await this.#writeCopy();
    } catch (error) {
      this.#log.warn({ err: error }, 'the copy of the catalog could not be written');
    }
  }
}
