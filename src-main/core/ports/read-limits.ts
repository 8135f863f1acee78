/** Limits of work that reads much. */
export interface ReadLimits {
  signal: AbortSignal;
  /** Maximum average; unlimited if undefined. */
  megabytes_per_s?: number;
  /** Receives the number of bytes of each read. */
  onBytes?: (bytes: number) => void;
}

/** Call after bytes were read: waits as long as the limits demand. Rejects when the signal aborts. */
export type Pace = (bytes: number) => Promise<void>;
