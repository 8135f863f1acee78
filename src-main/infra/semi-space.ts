/**
 * Maximum size of a semi-space in MB. By default V8 lets the garbage of each process and thread grow to 128 MB. Most work here only passes
 * data on and takes the same CPU time with 4 MB as with 16 MB (measured: importing 600 images, 500 pages of items); each thread keeps up to
 * two semi-spaces, also when idle.
 */
const SEMI_SPACE_MB = 4;

/** Argument for a Node process; the package's own commands start the first process with it. It also limits the threads of the process. */
export const SEMI_SPACE_ARGUMENT = `--max-semi-space-size=${SEMI_SPACE_MB}`;

/** Resource limit for a worker thread of a process without the argument; V8's young generation counts one semi-space three times. */
export const SEMI_SPACE_LIMIT = { maxYoungGenerationSizeMb: 3 * SEMI_SPACE_MB };
