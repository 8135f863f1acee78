/** Waits before a core that has crashed is started again, in ms. After the last one people decide. */
const WAITS_MS = [250, 1_000, 3_000, 10_000, 30_000];
/** A core that ran this long in ms was well: earlier crashes no longer count. */
const CALM_MS = 5 * 60_000;

/** Decides when a core that has crashed is started again. */
export class RestartPolicy {
  #crashes = 0;

  /** @returns The wait in ms, or undefined if it has crashed too often. @param ranMs How long the core had answered. */
  afterCrash(ranMs: number): number | undefined {
    if (ranMs >= CALM_MS) this.#crashes = 0;
    this.#crashes += 1;
    return WAITS_MS[this.#crashes - 1];
  }

  /** Resets the count. */
  forgive(): void {
    this.#crashes = 0;
  }
}
