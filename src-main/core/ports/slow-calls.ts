import type { Log } from './log.ts';

/** What takes longer than this is felt by whoever waits for it. */
const SLOW_MS = 40;

/** Notes a call that took long, so that what holds people up can be found. */
export function noteSlowCall(log: Log, call: string, ms: number): void {
  if (ms > SLOW_MS) log.debug({ call, duration_ms: Math.round(ms) }, 'slow call');
}
