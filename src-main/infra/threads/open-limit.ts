/** Something that is open for calls. */
interface Entry {
  nCalls: number;
  /** Time of the last call, in ms of `performance.now()`. */
  usedAt: number;
  /** Set while it closes. */
  closing: Promise<void> | undefined;
  /** Set when the entry will be closed to free a slot for another key; new calls wait. */
  isLeaving: boolean;
  /** Set when the key has to be opened again before its next call. */
  isStale: boolean;
  idle: NodeJS.Timeout | undefined;
}

interface OpenLimitOptions {
  /** Maximum number of keys that are open at once. Read whenever a slot is needed. */
  limit: () => number;
  /** Time in ms without calls after which a key is closed. */
  idleMs: number;
  /** Whether an idle key may be closed now to free a slot (default: always). */
  mayClose?: (key: string) => Promise<boolean>;
  close: (key: string) => Promise<void>;
}

/**
 * Limits how many keys are open at once. A call for another key closes the least recently used idle key. If all keys are in use, the call
 * waits for the least recently used one, which accepts no new calls meanwhile.
 */
export class OpenLimit {
  readonly #options: OpenLimitOptions;
  readonly #entries = new Map<string, Entry>();
  /** Queue of the calls whose key is not open: settles when the last one has entered. */
  #line: Promise<unknown> = Promise.resolve();
  #nInLine = 0;
  /** Resolvers that are called whenever a key becomes idle or is closed. */
  #waiting: (() => void)[] = [];

  constructor(options: OpenLimitOptions) {
    this.#options = options;
  }

  get keys(): string[] {
    return [...this.#entries.keys()];
  }

  /**
   * Opens the key if needed and runs a call.
   * @param call Receives whether the call had to wait until the key could be opened.
   */
  async use<Value>(key: string, call: (hasWaited: boolean) => Promise<Value>): Promise<Value> {
    const free = this.#enterNow(key);
    const entry = free ?? (await this.#enterInTurn(key));
    try {
      return await call(!free);
    } finally {
      entry.nCalls -= 1;
      entry.usedAt = performance.now();
      if (entry.nCalls === 0) this.#rest(key, entry);
    }
  }

  /** Closes a key after its running calls; later calls open it again. */
  async close(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.isLeaving = true;
    while (entry.nCalls > 0) await this.#change();
    await this.#closeEntry(key, entry);
  }

  /**
   * Closes all keys: unused ones now, the others before their next call, which waits for the running ones. A key that may not be closed
   * stays open until it may.
   */
  async renew(): Promise<void> {
    for (const entry of this.#entries.values()) entry.isStale = true;
    for (const key of this.keys) {
      const may = await this.#mayClose(key);
      const entry = this.#entries.get(key);
      if (may && entry?.isStale && entry.nCalls === 0) await this.#closeEntry(key, entry);
    }
  }

  /** Closes the keys without a call for at least `ms` milliseconds, except the `kept` most recently used ones and those that may not be closed. */
  async closeQuiet(ms: number, kept: number): Promise<void> {
    const before = performance.now() - ms;
    const isQuiet = ({ nCalls, usedAt, closing }: Entry) => nCalls === 0 && usedAt <= before && !closing;
    const quiet = [...this.#entries].filter(([, entry]) => isQuiet(entry)).sort(([, a], [, b]) => b.usedAt - a.usedAt);
    for (const [key, entry] of quiet.slice(kept)) {
      const may = await this.#mayClose(key);
      if (may && isQuiet(entry)) await this.#closeEntry(key, entry);
    }
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.keys.map((key) => this.close(key)));
  }

  #enterNow(key: string): Entry | undefined {
    const known = this.#entries.get(key);
    if (known) return isOpen(known) && !known.isStale ? begin(known) : undefined;
    return this.#nInLine === 0 && this.#entries.size < this.#options.limit() ? begin(this.#add(key)) : undefined;
  }

  #enterInTurn(key: string): Promise<Entry> {
    // One call at a time, in order of arrival: the first gets the next free slot.
    this.#nInLine += 1;
    const entered = this.#line
      .then(() => this.#enterFirst(key))
      .finally(() => {
        this.#nInLine -= 1;
      });
    this.#line = entered.catch(() => undefined);
    return entered;
  }

  async #enterFirst(key: string): Promise<Entry> {
    for (;;) {
      const known = this.#entries.get(key);
      if (known?.closing) await known.closing;
      else if (known?.isLeaving) await this.#change();
      else if (known?.isStale && known.nCalls > 0) await this.#change();
      else if (known?.isStale && (await this.#mayClose(key))) await this.#closeEntry(key, known);
      else if (known) {
        // It may have been closed while `mayClose` ran.
        if (isOpen(known)) return begin(known);
      } else if (this.#entries.size < this.#options.limit()) return begin(this.#add(key));
      else await this.#makeRoom();
    }
  }

  #add(key: string): Entry {
    const entry: Entry = {
      nCalls: 0,
      usedAt: 0,
      closing: undefined,
      isLeaving: false,
      isStale: false,
      idle: undefined,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  /** Closes one idle key; if there is none, marks one to be closed and waits for a change. */
  async #makeRoom(): Promise<void> {
    const { mayClose } = this.#options;
    const byUse = [...this.#entries].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [key, entry] of byUse) {
      if (entry.closing) return entry.closing;
      if (entry.nCalls > 0) continue;
      // Calls may arrive while `mayClose` runs.
      const may = await this.#mayClose(key);
      if (may && entry.nCalls === 0) return this.#closeEntry(key, entry);
    }
    const [first] = byUse.filter(([, { nCalls }]) => nCalls > 0);
    if (first && !byUse.some(([, { isLeaving }]) => isLeaving)) first[1].isLeaving = mayClose === undefined;
    await this.#change();
  }

  async #mayClose(key: string): Promise<boolean> {
    return (await this.#options.mayClose?.(key)) ?? true;
  }

  #closeEntry(key: string, entry: Entry): Promise<void> {
    clearTimeout(entry.idle);
    entry.closing ??= this.#options.close(key).finally(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      this.#wake();
    });
    return entry.closing;
  }

  #rest(key: string, entry: Entry): void {
    if (entry.isLeaving) {
      void this.#closeEntry(key, entry);
      return;
    }
    entry.idle = setTimeout(() => void this.#closeEntry(key, entry), this.#options.idleMs).unref();
    this.#wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}

function begin(entry: Entry): Entry {
  clearTimeout(entry.idle);
  entry.nCalls += 1;
  return entry;
}

function isOpen(entry: Entry): boolean {
  return !entry.closing && !entry.isLeaving;
}
