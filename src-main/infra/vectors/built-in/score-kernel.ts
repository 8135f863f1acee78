import {
  add,
  advance,
  block,
  end,
  get,
  isLess,
  leave,
  leaveIf,
  loadWord,
  loop,
  multiply,
  set,
  storeFloat,
  subtract,
  wasmKernel,
  word,
  zeroLanes,
} from './wasm-kernel.ts';

/** `score(query, rows, n, base, bytes, out)`: out[i] = query · vector at base + rows[i] × bytes. All but `n` and `bytes` are addresses. */
export type Score = (query: number, rows: number, n: number, base: number, bytes: number, out: number) => void;

const [QUERY, ROWS, COUNT, BASE, OUT] = [0, 1, 2, 3, 5];
/** Bytes of a vector. */
export const BYTES = 4;
/** Where the query is read. */
export const AT = 6;
/** For use by a product. */
export const END = 7;
/** Where the nth vector of those at once is read. */
export const pointer = (nth: number) => 8 + nth;
export const PART = 12;
/** What the nth product sums up in; 0 before. */
export const sum = (nth: number) => 13 + nth;

/**
 * Vectors that are compared at once: what is read of the query serves them all, and the processor waits for several places in memory at the
 * same time. Of rows that lie anywhere, four at once take a third of the time that one by one does.
 */
const AT_ONCE = 4;

/** Instructions that multiply a query with vectors. */
export interface Product {
  /** Goes through the query and the first `n` vectors, from {@link AT} and each {@link pointer} on. */
  accumulate: (n: number) => number[];
  /** Leaves the product with the nth vector, a float. */
  result: (nth: number) => number[];
}

/** Instructions for each of `n` vectors. */
export const eachOf = (n: number, instructions: (nth: number) => number[]) =>
  Array.from({ length: n }, (_, nth) => instructions(nth)).flat();

/** Goes on while there are `n` rows. */
const eachRows = (n: number, { accumulate, result }: Product) => [
  ...block,
  ...loop,
  ...[...get(COUNT), ...word(n), ...isLess, ...leaveIf(1)],
  ...eachOf(n, (nth) => [
    ...[...get(BASE), ...get(ROWS), ...loadWord(nth * 4), ...get(BYTES), ...multiply, ...add, ...set(pointer(nth))],
    ...[...zeroLanes, ...set(sum(nth))],
  ]),
  ...[...get(QUERY), ...set(AT)],
  ...accumulate(n),
  ...eachOf(n, (nth) => [...get(OUT), ...result(nth), ...storeFloat(nth * 4)]),
  ...[...advance(ROWS, n * 4), ...advance(OUT, n * 4)],
  ...[...get(COUNT), ...word(n), ...subtract, ...set(COUNT), ...leave(0)],
  ...end,
  ...end,
];

/** A kernel that scores vectors in a shared memory. */
export function scoreKernel(product: Product): (memory: WebAssembly.Memory) => Score {
  return wasmKernel({
    parameters: 6,
    words: 2 + AT_ONCE,
    lanes: 1 + AT_ONCE,
    body: [...eachRows(AT_ONCE, product), ...eachRows(1, product)],
  });
}
