import { setTimeout as pause } from 'node:timers/promises';

/** Rest after a slice of work, as a multiple of its duration: the work keeps a fifth of the time. */
const REST = 4;
/** Maximum duration of a slice that counts, in milliseconds: a longer rest would not be noticed. */
const MAX_SLICE_MS = 100;

/**
 * [Note: Who gives way]
 * While somebody waits for a screen, or while files are indexed, background jobs rest between slices of work and keep a fifth of the time, so
 * that they always proceed. Priorities alone do not suffice: more than a little would stop the jobs while other programs are busy. A job
 * awaits {@link turn} between slices of some milliseconds.
 */
export class Pace {
  #isSlow = false;
  #restedMs = 0;
  #rest: Promise<void> | undefined;
  #wake: AbortController | undefined;

  setSlow(isSlow: boolean): void {
    this.#isSlow = isSlow;
    if (!isSlow) this.#wake?.abort();
  }

  /** Resolves when the next slice may begin. Slices that run together rest together. */
  async turn(): Promise<void> {
    if (!this.#isSlow) return;
    this.#rest ??= this.#takeRest();
    await this.#rest;
  }

  async #takeRest(): Promise<void> {
    const workedMs = Math.min(MAX_SLICE_MS, performance.now() - this.#restedMs);
    this.#wake = new AbortController();
    await pause(workedMs * REST, undefined, { signal: this.#wake.signal }).catch(() => undefined);
    this.#restedMs = performance.now();
    this.#rest = undefined;
  }
}
