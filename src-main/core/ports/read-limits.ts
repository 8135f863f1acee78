/** Limits of work that reads much. */
export interface ReadLimits {
  signal: AbortSignal;
  /** Maximum average; unlimited if undefined. */
  megabytes_per_s?: number;
}
