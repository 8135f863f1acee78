declare module 'vitest' {
  interface TaskMeta {
    /** Why the test or suite is skipped. Printed when the run ends. */
    skip_reason?: string;
  }
}

/** A requirement of a test. `{ missing }` says why it is not met; any other value means that it is met. */
export type Need = { missing: string } | object | string | undefined;

/** Returns the reason of the first requirement that is not met, or undefined if all are met. */
export function missingAmong(...needed: Need[]): string | undefined {
  for (const need of needed) {
    if (typeof need === 'string') return need;
    if (need !== undefined && 'missing' in need && typeof need.missing === 'string') return need.missing;
  }
  return undefined;
}

/**
 * Returns options that skip a test or suite if a requirement is not met. The reasons of all skipped tests are printed when the run ends.
 */
export function needs(...needed: Need[]): { skip?: true; meta?: { skip_reason: string } } {
  const skipReason = missingAmong(...needed);
  return skipReason === undefined ? {} : { skip: true, meta: { skip_reason: skipReason } };
}

/** For tests of features that Windows does not have. */
export const posix: Need = process.platform === 'win32' ? 'nothing of the kind on Windows' : undefined;

/** For tests of files without read permission. */
export const notRoot: Need = process.getuid?.() === 0 ? 'root may read every file' : undefined;
