/** Time, ids and randomness come from here, so that tests can fix them. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** ISO 8601 UTC. */
  iso(): string;
}

export interface Ids {
  uuid(): string;
}
