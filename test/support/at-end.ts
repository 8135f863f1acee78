import { afterAll } from 'vitest';

const cleanUps: (() => unknown)[] = [];

// Registered while the test file is loaded, because vitest never runs an `afterAll` that a hook or a test calls.
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

/** Registers a clean-up for the end of the test file. Clean-ups run in reverse order. Used by hooks and test helpers. */
export function atEnd(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}
