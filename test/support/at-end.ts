const cleanUps: (() => unknown)[] = [];

/** Runs the registered clean-ups. `support/file-setup.ts` calls this at the end of each test file. */
export async function runCleanUps(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
}

/** Registers a clean-up for the end of the test file. Clean-ups run in reverse order. Used by hooks and test helpers. */
export function atEnd(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}
