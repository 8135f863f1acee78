/** Limits of work that reads much. */
export interface ReadLimits {
  signal: AbortSignal;
  /** Maximum average; unlimited if undefined. */
  megabytes_per_s?: number;
  /** Awaited after each read: work that nobody waits for rests here while somebody waits for a screen. */
  turn?: () => Promise<void>;
  /** Receives the number of bytes of each read. */
  onBytes?: (bytes: number) => void;
}

/** Call after bytes were read: waits as long as the limits demand. Rejects when the signal aborts. */
export type Pace = (bytes: number) => Promise<void>;
