/** Milliseconds after the last claim in which the next one is expected: the requests of a screen follow each other. */
const LINGER_MS = 250;

/** Counts the reasons for which background jobs give way: [Note: Who gives way]. */
export class Claims {
  readonly #onChange: (isClaimed: boolean) => void;
  #n = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: (isClaimed: boolean) => void) {
    this.#onChange = onChange;
  }

  /** Makes background jobs give way until the returned function is called. */
  claim(): () => void {
    this.#n += 1;
    clearTimeout(this.#timer);
    if (this.#n === 1 && this.#timer === undefined) this.#onChange(true);
    this.#timer = undefined;
    return () => {
      this.#n -= 1;
      if (this.#n > 0) return;
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#onChange(false);
      }, LINGER_MS).unref();
    };
  }

  async during<T>(work: Promise<T>): Promise<T> {
    const release = this.claim();
    try {
      return await work;
    } finally {
      release();
    }
  }
}
