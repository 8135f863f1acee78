import { SCALE_BYTES } from './code-products.ts';
import {
  add,
  advance,
  block,
  divideFloats,
  end,
  float,
  get,
  isLess,
  isZero,
  lanes,
  largerFloat,
  leave,
  leaveIf,
  loadFloat,
  loadLanes,
  loop,
  set,
  storeFloat,
  storeLanes,
  subtract,
  wasmKernel,
  word,
  zeroLanes,
} from './wasm-kernel.ts';

/** `encode(vectors, n, vectorBytes, codes, codeBytes)`: n vectors of float32, of a multiple of 128 bytes each. */
export type Encode = (vectors: number, n: number, vectorBytes: number, codes: number, codeBytes: number) => void;

const [VECTORS, COUNT, VECTOR_BYTES, CODES, CODE_BYTES, AT, END, OUT, LANES, STEPS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const LARGEST = 127;

const absolute = lanes(0xe0);
const largerLanes = lanes(0xeb);
const multiplyLanes = lanes(0xe6);
const everyLane = lanes(0x13);
const lane = (index: number) => lanes(0x1f, index);
const round = lanes(0x6a);
const toWords = lanes(0xf8);
const toHalves = lanes(0x85);
const toBytes = lanes(0x65);

/** Goes through a vector, some bytes at once. */
const eachPart = (bytes: number, part: readonly number[]) => [
  ...[...get(VECTORS), ...set(AT), ...get(VECTORS), ...get(VECTOR_BYTES), ...add, ...set(END)],
  ...[...loop, ...part, ...advance(AT, bytes), ...get(AT), ...get(END), ...isLess, ...leaveIf(0), ...end],
];

const scaleAt = [...get(CODES), ...get(CODE_BYTES), ...add, ...word(SCALE_BYTES), ...subtract];
const steps = (offset: number) => [
  ...get(AT),
  ...loadLanes(offset),
  ...get(STEPS),
  ...multiplyLanes,
  ...round,
  ...toWords,
];

/**
 * Scalar quantization: a byte a component, by the largest of each vector. Of unit vectors of 512 components, products are off by about
 * 0.0005.
 */
export const encodingOver: (memory: WebAssembly.Memory) => Encode = wasmKernel({
  parameters: 5,
  words: 3,
  lanes: 2,
  body: [
    ...block,
    ...loop,
    ...[...get(COUNT), ...isZero, ...leaveIf(1)],
    ...[...zeroLanes, ...set(LANES)],
    ...eachPart(16, [...get(LANES), ...get(AT), ...loadLanes(0), ...absolute, ...largerLanes, ...set(LANES)]),
    ...[...scaleAt, ...get(LANES), ...lane(0)],
    ...[1, 2, 3].flatMap((index) => [...get(LANES), ...lane(index), ...largerFloat]),
    ...[...float(LARGEST), ...divideFloats, ...storeFloat(0)],
    // Zeros have no steps: what comes of dividing by them is no number, and that is 0 in whole numbers.
    ...[...float(1), ...scaleAt, ...loadFloat(0), ...divideFloats, ...everyLane, ...set(STEPS)],
    ...[...get(CODES), ...set(OUT)],
    ...eachPart(64, [
      ...get(OUT),
      ...[...steps(0), ...steps(16), ...toHalves, ...steps(32), ...steps(48), ...toHalves, ...toBytes],
      ...[...storeLanes(0), ...advance(OUT, 16)],
    ]),
    ...[...get(VECTORS), ...get(VECTOR_BYTES), ...add, ...set(VECTORS)],
    ...[...get(CODES), ...get(CODE_BYTES), ...add, ...set(CODES)],
    ...[...get(COUNT), ...word(1), ...subtract, ...set(COUNT), ...leave(0)],
    ...end,
    ...end,
  ],
});
