/**
 * By itself V8 lets the garbage of each process and thread fill 128 MB before it grows no further, and most of what is done here is to
 * hand things on: measured, a quarter of that takes the same time.
 */
const SEMI_SPACE_MB = 16;

/** For a process of Node; the package's own commands start the first one with it. */
export const SEMI_SPACE_ARGUMENT = `--max-semi-space-size=${SEMI_SPACE_MB}`;

/** For a thread; V8 counts one half three times. */
export const SEMI_SPACE_LIMIT = { maxYoungGenerationSizeMb: 3 * SEMI_SPACE_MB };
