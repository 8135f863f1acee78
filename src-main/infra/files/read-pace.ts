import { setTimeout as rest } from 'node:timers/promises';
import type { Pace, ReadLimits } from '../../core/ports/read-limits.ts';

const MEGABYTE = 1024 ** 2;

/** Returns a pace that keeps the limits on average since this call, and gives way between reads. */
export function createPace({ megabytes_per_s, signal, onBytes, turn }: Partial<ReadLimits>): Pace {
  const startedAt = performance.now();
  let dueMs = 0;
  return async (bytes) => {
    onBytes?.(bytes);
    signal?.throwIfAborted();
    await turn?.();
    if (megabytes_per_s === undefined) return;
    dueMs += (bytes / (megabytes_per_s * MEGABYTE)) * 1000;
    const waitMs = dueMs - (performance.now() - startedAt);
    if (waitMs > 1) await rest(waitMs, undefined, { ref: false, ...(signal && { signal }) });
  };
}
