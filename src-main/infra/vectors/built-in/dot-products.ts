import { AT, BYTES, END, eachOf, PART, pointer, scoreKernel, sum } from './score-kernel.ts';
import { add, addFloats, advance, end, get, isLess, lanes, leaveIf, loadLanes, loop, set } from './wasm-kernel.ts';

const addLanes = lanes(0xe4);
const multiplyLanes = lanes(0xe6);
const lane = (index: number) => lanes(0x1f, index);

/** Adds the products of 16 bytes of the query with those of each vector. */
const accumulate = (n: number, offset: number) => [
  ...[...get(AT), ...loadLanes(offset), ...set(PART)],
  ...eachOf(n, (nth) => [
    ...[...get(sum(nth)), ...get(pointer(nth)), ...loadLanes(offset), ...get(PART), ...multiplyLanes, ...addLanes],
    ...set(sum(nth)),
  ]),
];

/** Inner products of vectors of float32, of a multiple of 32 bytes. */
export const dotProductsOver = scoreKernel({
  accumulate: (n) => [
    ...[...get(pointer(0)), ...get(BYTES), ...add, ...set(END)],
    ...loop,
    ...accumulate(n, 0),
    ...accumulate(n, 16),
    ...advance(AT, 32),
    ...eachOf(n, (nth) => advance(pointer(nth), 32)),
    ...[...get(pointer(0)), ...get(END), ...isLess, ...leaveIf(0)],
    ...end,
  ],
  result: (nth) => [
    ...[...get(sum(nth)), ...lane(0)],
    ...[1, 2, 3].flatMap((index) => [...get(sum(nth)), ...lane(index), ...addFloats]),
  ],
});
