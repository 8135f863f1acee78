/** Time, ids and randomness come from here, so that tests can fix them. */
export interface Clock {
  /** Milliseconds since the epoch; a person or the network may set it back. */
  now(): number;
  /** Milliseconds that only grow, for measuring how long something takes. */
  ticksMs(): number;
  /** ISO 8601 UTC. */
  iso(): string;
}

export interface Ids {
  uuid(): string;
}
