/**
 * Maximum size of a semi-space in MB. By default V8 lets the garbage of each process and thread grow to 128 MB, and each thread keeps up to
 * two semi-spaces, also when idle. Pages of Explore take 8 % more CPU time with 4 MB. With 16 MB they take another 5 % less, but 200 datasets
 * take 25 % more memory than one instead of 11 %.
 */
const SEMI_SPACE_MB = 8;

/**
 * Arguments for a Node process; the package's own commands start the first process with them. They also apply to the threads of the process.
 * Several threads would scavenge semi-spaces of this size no sooner than one, and wait actively for each other: a start takes 9 % less CPU
 * time without (Node 24).
 */
export const HEAP_ARGUMENTS: readonly string[] = [`--max-semi-space-size=${SEMI_SPACE_MB}`, '--no-parallel-scavenge'];

/** Resource limit for a worker thread of a process without these arguments; V8's young generation counts one semi-space three times. */
export const SEMI_SPACE_LIMIT = { maxYoungGenerationSizeMb: 3 * SEMI_SPACE_MB };
