/** `score(query, rows, n, base, bytes, out)`: out[i] = query · vector at base + rows[i] × bytes. All but `n` and `bytes` are addresses. */
export type Score = (query: number, rows: number, n: number, base: number, bytes: number, out: number) => void;

/** Parameters and local variables of a kernel. */
export const [QUERY, ROWS, COUNT, BASE, BYTES, OUT, POINTER, OFFSET, EVEN, ODD, LEFT, RIGHT] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
];
const [I32, V128, NO_RESULT, FUNCTION] = [0x7f, 0x7b, 0x40, 0x60];
const [N_WORDS, N_LANES] = [2, 4];

// Instructions, as the WebAssembly specification numbers them (sections 5.4.1 to 5.4.8).
const block = [0x02, NO_RESULT];
export const loop = [0x03, NO_RESULT];
export const end = [0x0b];
const leave = (depth: number) => [0x0c, depth];
export const leaveIf = (depth: number) => [0x0d, depth];
export const get = (local: number) => [0x20, local];
export const set = (local: number) => [0x21, local];
export const tee = (local: number) => [0x22, local];
const loadWord = [0x28, 2, 0];
export const loadFloat = [0x2a, 2, 0];
const storeFloat = [0x38, 2, 0];
export const word = (value: number) => [0x41, value];
const isZero = [0x45];
export const isLess = [0x49];
export const add = [0x6a];
export const subtract = [0x6b];
const multiply = [0x6c];
export const addFloats = [0x92];
export const multiplyFloats = [0x94];
export const toFloat = [0xb2];
export const loadLanes = (offset: number) => [0xfd, 0x00, 2, offset];
const zeroLanes = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];

const advance = (local: number) => [...get(local), ...word(4), ...add, ...set(local)];

/**
 * Goes through the rows.
 * @param product Leaves the product of the query and the vector at {@link POINTER}; EVEN, ODD and OFFSET are 0 before.
 */
const eachRow = (product: readonly number[]) => [
  ...block,
  ...loop,
  ...[...get(COUNT), ...isZero, ...leaveIf(1)],
  ...[...get(BASE), ...get(ROWS), ...loadWord, ...get(BYTES), ...multiply, ...add, ...set(POINTER)],
  ...[...zeroLanes, ...set(EVEN), ...zeroLanes, ...set(ODD), ...word(0), ...set(OFFSET)],
  ...[...get(OUT), ...product, ...storeFloat],
  ...[...advance(ROWS), ...advance(OUT), ...get(COUNT), ...word(1), ...subtract, ...set(COUNT), ...leave(0)],
  ...end,
  ...end,
  ...end,
];

/** Whole numbers of a module are LEB128. */
function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)];
}
const sized = (bytes: readonly number[]) => [...number(bytes.length), ...bytes];
const name = (text: string) => sized([...new TextEncoder().encode(text)]);
const section = (id: number, ...entries: number[][]) => [id, ...sized([...number(entries.length), ...entries.flat()])];

/** 64-KiB pages of a WebAssembly memory at most: 4 GiB. */
export const MOST_PAGES = 65_536;

/**
 * A kernel that scores vectors in a shared memory: WebAssembly's arithmetic in lanes is several times as fast as the same loop in
 * JavaScript, and its memory can be shared by threads and grows without becoming slow, which a growable SharedArrayBuffer does not (20
 * times slower to read, measured on V8 13).
 * @param product Instructions that leave the product of the query and one vector, a float.
 */
export function scoreKernel(product: readonly number[]): (memory: WebAssembly.Memory) => Score {
  const bytes = Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [FUNCTION, ...sized(new Array<number>(6).fill(I32)), 0]),
    // A shared memory with a limit.
    ...section(2, [...name('env'), ...name('memory'), 0x02, 0x03, ...number(1), ...number(MOST_PAGES)]),
    ...section(3, [0]),
    ...section(7, [...name('score'), 0x00, 0]),
    ...section(10, sized([2, N_WORDS, I32, N_LANES, V128, ...eachRow(product)])),
  ]);
  let compiled: WebAssembly.Module | undefined;
  return (memory) => {
    compiled ??= new WebAssembly.Module(bytes);
    return new WebAssembly.Instance(compiled, { env: { memory } }).exports.score as Score;
  };
}
