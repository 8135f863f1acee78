declare module 'vitest' {
  interface TaskMeta {
    /** Why the test or suite is skipped; printed when the run ends. */
    skip_reason?: string;
  }
}

/** Something a test may need: `{ missing }` and a text say why it cannot be had, anything else is there. */
export type Need = { missing: string } | object | string | undefined;

/** Why the first of some needs that is not met is not; undefined when all are. */
export function missingAmong(...needed: Need[]): string | undefined {
  for (const need of needed) {
    if (typeof need === 'string') return need;
    if (need !== undefined && 'missing' in need && typeof need.missing === 'string') return need.missing;
  }
  return undefined;
}

/** Options for a test or suite, which is skipped when a need is not met; the run ends with the reason of every such test. */
export function needs(...needed: Need[]): { skip?: true; meta?: { skip_reason: string } } {
  const skipReason = missingAmong(...needed);
  return skipReason === undefined ? {} : { skip: true, meta: { skip_reason: skipReason } };
}

/** For tests of what Windows has in no form. */
export const posix: Need = process.platform === 'win32' ? 'nothing of the kind on Windows' : undefined;

/** For tests of files that may not be read. */
export const notRoot: Need = process.getuid?.() === 0 ? 'root may read every file' : undefined;
