import { AT, BYTES, END, eachOf, PART, pointer, scoreKernel, sum } from './score-kernel.ts';
import {
  add,
  advance,
  end,
  get,
  isLess,
  lanes,
  leaveIf,
  loadFloat,
  loadLanes,
  loop,
  multiplyFloats,
  set,
  subtract,
  toFloat,
  word,
} from './wasm-kernel.ts';

/** Bytes at the end of a code, of which the first four are its scale. */
export const SCALE_BYTES = 16;
/** Components that the kernel takes at once; codes are filled up with zeros. */
const COMPONENTS = 32;
/** The largest component of a query: its products with 4096 components of a byte add up to less than 2^31. */
const LARGEST = 4095;

const addLanes = lanes(0xae);
const lane = (index: number) => lanes(0x1b, index);
/** i16x8 of eight bytes. */
const loadBytes = (offset: number) => lanes(0x01, 2, offset);
/** i32x4 sums of pairs of products of i16x8. */
const multiplyPairs = lanes(0xba);

/** Adds the products of eight components of the query with those of each vector. */
const accumulate = (n: number, component: number) => [
  ...[...get(AT), ...loadLanes(component * 2), ...set(PART)],
  ...eachOf(n, (nth) => [
    ...[...get(sum(nth)), ...get(pointer(nth)), ...loadBytes(component), ...get(PART), ...multiplyPairs, ...addLanes],
    ...set(sum(nth)),
  ]),
];

/** Inner products of a query as {@link writeCodedQuery} leaves it and codes as {@link encodingOver} does. */
export const codeProductsOver = scoreKernel({
  accumulate: (n) => [
    ...[...get(pointer(0)), ...get(BYTES), ...add, ...word(SCALE_BYTES), ...subtract, ...set(END)],
    ...loop,
    ...[0, 8, 16, 24].flatMap((component) => accumulate(n, component)),
    ...advance(AT, COMPONENTS * 2),
    ...eachOf(n, (nth) => advance(pointer(nth), COMPONENTS)),
    ...[...get(pointer(0)), ...get(END), ...isLess, ...leaveIf(0)],
    ...end,
  ],
  result: (nth) => [
    ...[...get(sum(nth)), ...lane(0)],
    ...[1, 2, 3].flatMap((index) => [...get(sum(nth)), ...lane(index), ...add]),
    // The scales come after what was read.
    ...[
      ...toFloat,
      ...get(pointer(nth)),
      ...loadFloat(0),
      ...multiplyFloats,
      ...get(AT),
      ...loadFloat(0),
      ...multiplyFloats,
    ],
  ],
});

/** Bytes of the code of a vector. */
export function codeBytes(dim: number): number {
  return Math.ceil(dim / COMPONENTS) * COMPONENTS + SCALE_BYTES;
}

/** A query has finer steps than the vectors it is compared with: two bytes a component. */
export function writeCodedQuery(buffer: ArrayBufferLike, at: number, vector: Float32Array): void {
  const width = codeBytes(vector.length) - SCALE_BYTES;
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const steps = largest > 0 ? LARGEST / largest : 0;
  const components = new Int16Array(buffer, at, width);
  components.fill(0);
  for (const [component, value] of vector.entries()) components[component] = Math.round(value * steps);
  new Float32Array(buffer, at + width * 2, 1)[0] = largest / LARGEST;
}
