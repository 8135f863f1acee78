/** After this time, the thread that holds a lock is considered dead. What the lock protects may be done twice without harm. */
const PATIENCE_MS = 10_000;

/**
 * Runs work that no other thread runs at the same time.
 * @param words Shared memory of which the word at `lock` is 0 while nobody runs such work.
 */
export function locked(words: Int32Array, lock: number, work: () => void): void {
  while (Atomics.compareExchange(words, lock, 0, 1) !== 0) {
    if (Atomics.wait(words, lock, 1, PATIENCE_MS) === 'timed-out') break;
  }
  try {
    work();
  } finally {
    Atomics.store(words, lock, 0);
    Atomics.notify(words, lock);
  }
}
