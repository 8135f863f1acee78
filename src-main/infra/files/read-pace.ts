import { setTimeout as rest } from 'node:timers/promises';

const MEGABYTE = 1024 ** 2;

/** Waits, after bytes were read, as long as the limit of bytes per second demands. Rejects when the signal aborts. */
export type Pace = (bytes: number) => Promise<void>;

/** @param megabytesPerS Maximum average; undefined for no limit. */
export function createPace(megabytesPerS: number | undefined, signal?: AbortSignal): Pace {
  if (megabytesPerS === undefined) return () => Promise.resolve();
  const startedAt = performance.now();
  let dueMs = 0;
  return async (bytes) => {
    dueMs += (bytes / (megabytesPerS * MEGABYTE)) * 1000;
    const waitMs = dueMs - (performance.now() - startedAt);
    if (waitMs > 1) await rest(waitMs, undefined, { ref: false, ...(signal && { signal }) });
  };
}
