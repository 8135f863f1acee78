import { setClaimed } from './work-pace.ts';

/** Milliseconds after the last claim in which the next one is expected: the requests of a screen follow each other. */
const LINGER_MS = 250;

/** Counts the reasons for which background jobs give way: [Note: Who gives way]. */
export class Claims {
  /** Holds whether there is a claim, for threads of this process. */
  readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  readonly #listeners: ((isClaimed: boolean) => void)[] = [];
  #n = 0;
  #timer: NodeJS.Timeout | undefined;

  onChange(listener: (isClaimed: boolean) => void): void {
    this.#listeners.push(listener);
  }

  /** Makes background jobs give way until the returned function is called. */
  claim(): () => void {
    this.#n += 1;
    clearTimeout(this.#timer);
    if (this.#n === 1 && this.#timer === undefined) this.#change(true);
    this.#timer = undefined;
    return () => {
      this.#n -= 1;
      if (this.#n > 0) return;
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#change(false);
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

  #change(isClaimed: boolean): void {
    setClaimed(this.memory, isClaimed);
    for (const listener of this.#listeners) listener(isClaimed);
  }
}
