import { afterAll } from 'vitest';

const cleanUps: (() => unknown)[] = [];

// Registered while the test file is read: vitest never runs an `afterAll` that a hook or a test calls.
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

/** Cleans up when the test file has ended, the latest first; for what hooks and helpers of tests set up. */
export function atEnd(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}
