import type { Log } from './log.ts';

/** Duration in milliseconds above which a call is logged as slow; longer delays are noticeable. */
const SLOW_MS = 40;

/** Logs a slow call, to help find the cause of delays. */
export function noteSlowCall(log: Log, call: string, ms: number): void {
  if (ms > SLOW_MS) log.debug({ call, duration_ms: Math.round(ms) }, 'slow call');
}
