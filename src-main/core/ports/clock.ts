/** Source of time. Time, ids and randomness come from ports, so that tests can fix them. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Not monotonic: the system clock can be set back. */
  now(): number;
  /** Monotonic milliseconds, for measuring durations. */
  ticksMs(): number;
  /** Current time as ISO 8601 in UTC. */
  iso(): string;
}

export interface Ids {
  uuid(): string;
}
