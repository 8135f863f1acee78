import { setTimeout as pause } from 'node:timers/promises';

/** Rest after a slice of work, as a multiple of its duration: the work keeps a fifth of the time. */
const REST = 4;
/** Maximum duration of a slice that counts, in milliseconds: a longer rest would not be noticed. */
const MAX_SLICE_MS = 100;
/** Milliseconds between two looks, during a rest, at whether there is still a claim. */
const LOOK_MS = 20;

export function setClaimed(memory: SharedArrayBuffer, isClaimed: boolean): void {
  Atomics.store(new Int32Array(memory), 0, isClaimed ? 1 : 0);
}

/**
 * [Note: Who gives way]
 * While somebody waits for a screen, or while files are indexed, background work rests between slices and keeps a fifth of the time, so that
 * it always proceeds. Priorities alone do not suffice: more than a little would stop the work while other programs are busy, and threads of
 * the core have none of their own. Work awaits {@link turn} between slices of some milliseconds.
 */
export class WorkPace {
  readonly #claimed: Int32Array;
  #restedMs = 0;
  #rest: Promise<void> | undefined;

  /** @param memory Holds whether there is a claim; see {@link setClaimed}. */
  constructor(memory: SharedArrayBuffer) {
    this.#claimed = new Int32Array(memory);
  }

  /** Resolves when the next slice may begin. Slices that run together rest together. */
  async turn(): Promise<void> {
    if (!this.#isClaimed()) return;
    this.#rest ??= this.#takeRest();
    await this.#rest;
  }

  #isClaimed(): boolean {
    return Atomics.load(this.#claimed, 0) === 1;
  }

  async #takeRest(): Promise<void> {
    const workedMs = Math.min(MAX_SLICE_MS, performance.now() - this.#restedMs);
    const untilMs = performance.now() + workedMs * REST;
    for (let leftMs = workedMs * REST; leftMs > 0 && this.#isClaimed(); leftMs = untilMs - performance.now()) {
      await pause(Math.min(LOOK_MS, leftMs));
    }
    this.#restedMs = performance.now();
    this.#rest = undefined;
  }
}
