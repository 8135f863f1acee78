import { readFileSync } from 'node:fs';
import { resourceFile } from '../resources.ts';

/**
 * `score(query, rows, n, base, bytes, out)`: out[i] = query · vector at base + rows[i] × bytes, for n rows. All parameters but `n` and
 * `bytes` are byte addresses.
 */
export type Score = (query: number, rows: number, n: number, base: number, bytes: number, out: number) => void;

/** Functions over one shared memory, compiled from tools/kernels/assembly. */
export interface VectorKernels {
  /** Inner products of vectors of float32; `bytes` is a multiple of 64. */
  dotProducts: Score;
  /** Inner products of a query from `writeCodedQuery`, or `encodeWords` with its maximum, with codes from `encode`. */
  codeProducts: Score;
  /** Writes the codes of n float32 vectors; the size of a vector is a multiple of 128 bytes. */
  encode: (vectors: number, n: number, vectorBytes: number, codes: number, codeBytes: number) => void;
  /** Writes the vector of a code as float32. */
  decode: (code: number, codeBytes: number, vector: number) => void;
  /** Adds the vectors of the codes at base + rows[i] × codeBytes, for n rows, to one of float32. */
  addCodes: (sum: number, rows: number, n: number, base: number, codeBytes: number) => void;
  /**
   * Writes a float32 vector of as many components as half the bytes of a code, less its scale, with two bytes each; and reads it again. The
   * largest component becomes `most`.
   */
  encodeWords: (vector: number, code: number, codeBytes: number, most: number) => void;
  decodeWords: (code: number, codeBytes: number, vector: number) => void;
  /** Copies bytes, a multiple of 32, faster than JavaScript does within a shared memory. */
  copyBytes: (from: number, to: number, bytes: number) => void;
  /** Copies four parts of a vector, each of a multiple of 16 bytes, to one place. */
  joinParts: (a: number, b: number, c: number, d: number, bytes: number, out: number) => void;
  /** Adds a vector of float32 to another; the size of a vector is a multiple of 16 bytes. */
  addVector: (sum: number, vector: number, bytes: number) => void;
  /** Selects the k best of n scores, best first, equal ones in their order; writes their scores and their places (u32). Returns how many. */
  bestOf: (scores: number, n: number, k: number, best: number, places: number) => number;
  /** Writes the places (u32) of scores from `bar` on, or from the bar of their place on. Returns how many. */
  placesFrom: (scores: number, bars: number, n: number, bar: number, places: number) => number;
  /** Hamming distances (u32) of a descriptor of 32 bytes to n consecutive others. */
  differingBits: (description: number, descriptions: number, n: number, out: number) => void;
}

/** Size of a page of a WebAssembly memory. */
export const PAGE_BYTES = 65_536;
/** Maximum number of pages: 4 GiB. */
export const MAX_PAGES = 65_536;

/** Size of a vector of float32 for `dotProducts`, in bytes; the space behind its components must be zero. */
export function paddedBytes(dim: number): number {
  return Math.ceil(dim / 16) * 64;
}

let compiled: WebAssembly.Module | undefined;

/**
 * Compiles the kernels for a shared memory of at most {@link MAX_PAGES}. Threads share such a memory, and it grows without becoming slow; a
 * growable SharedArrayBuffer is read 20 times slower (V8 13).
 */
export function vectorKernels(memory: WebAssembly.Memory): VectorKernels {
  compiled ??= new WebAssembly.Module(readFileSync(resourceFile('kernels', 'vector-kernels.wasm')));
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as VectorKernels;
}
