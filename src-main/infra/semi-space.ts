/**
 * Maximum size of a semi-space in MB. By default V8 lets the garbage of each process and thread grow to 128 MB. Most work here only passes
 * data on and takes the same time with a quarter of that (measured).
 */
const SEMI_SPACE_MB = 16;

/** Argument for a Node process; the package's own commands start the first process with it. */
export const SEMI_SPACE_ARGUMENT = `--max-semi-space-size=${SEMI_SPACE_MB}`;

/** Resource limit for a worker thread; V8's young generation counts one semi-space three times. */
export const SEMI_SPACE_LIMIT = { maxYoungGenerationSizeMb: 3 * SEMI_SPACE_MB };
