import { AT, eachOf, pointer, type Score, scoreKernel, sum } from '../vectors/built-in/score-kernel.ts';
import { add, get, lanes, loadLanes, set, toFloat } from '../vectors/built-in/wasm-kernel.ts';

/** Bytes of a keypoint's description. */
const DESCRIPTION_BYTES = 32;
/** Of an image at most; what is beyond is not looked at. */
const MOST_DESCRIPTIONS = 512;
/** A match counts when the second best is so much worse (Lowe, IJCV 60(2), 2004, section 7.1). */
const RATIO = 0.85;

// Instructions on lanes: exclusive or, bits of each byte, sums of neighbours among bytes and among words of two bytes.
const exclusiveOr = lanes(0x51);
const countBits = lanes(0x62);
const addBytes = lanes(0x7d);
const addPairs = lanes(0x7f);
const addLanes = lanes(0xae);
const lane = (index: number) => lanes(0x1b, index);

/** Counts the bits in which 16 bytes of the query and of each description differ. */
const accumulate = (n: number, offset: number) =>
  eachOf(n, (nth) => [
    ...[...get(AT), ...loadLanes(offset), ...get(pointer(nth)), ...loadLanes(offset), ...exclusiveOr, ...countBits],
    ...[...addBytes, ...addPairs, ...get(sum(nth)), ...addLanes, ...set(sum(nth))],
  ]);

/** Bits in which two descriptions differ. */
const differingBitsOver = scoreKernel({
  accumulate: (n) => [...accumulate(n, 0), ...accumulate(n, 16)],
  result: (nth) => [
    ...[...get(sum(nth)), ...lane(0)],
    ...[1, 2, 3].flatMap((index) => [...get(sum(nth)), ...lane(index), ...add]),
    ...toFloat,
  ],
});

/** Where in the kernel's memory the numbers 0, 1, 2 … are, the distances of one description, and the descriptions of both images. */
const [NUMBERS_AT, DISTANCES_AT] = [0, MOST_DESCRIPTIONS * 4];
const A_AT = DISTANCES_AT + MOST_DESCRIPTIONS * 4;
const B_AT = A_AT + MOST_DESCRIPTIONS * DESCRIPTION_BYTES;

interface Matcher {
  bytes: Uint8Array;
  distances: Float32Array;
  distance: Score;
}
let matcher: Matcher | undefined;

function makeMatcher(): Matcher {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  new Int32Array(memory.buffer, NUMBERS_AT, MOST_DESCRIPTIONS).forEach((_zero, nth, numbers) => {
    numbers[nth] = nth;
  });
  return {
    bytes: new Uint8Array(memory.buffer),
    distances: new Float32Array(memory.buffer, DISTANCES_AT, MOST_DESCRIPTIONS),
    distance: differingBitsOver(memory),
  };
}

/**
 * The descriptions of `a` and `b` that belong together, by number, each of `b` once: the nearest in Hamming distance, where the next is clearly
 * farther away. Everything is compared with everything: in lanes that takes a tenth of the time that OpenCV's matcher does in WebAssembly.
 */
export function matchDescriptions(a: Uint8Array, b: Uint8Array): (readonly [a: number, b: number])[] {
  matcher ??= makeMatcher();
  const { bytes, distances, distance } = matcher;
  const [nA, nB] = [a, b].map(({ length }) => Math.min(MOST_DESCRIPTIONS, length / DESCRIPTION_BYTES)) as [
    number,
    number,
  ];
  bytes.set(a.subarray(0, nA * DESCRIPTION_BYTES), A_AT);
  bytes.set(b.subarray(0, nB * DESCRIPTION_BYTES), B_AT);
  const best = new Map<number, { from: number; distance: number }>();
  for (let from = 0; from < nA; from += 1) {
    distance(A_AT + from * DESCRIPTION_BYTES, NUMBERS_AT, nB, B_AT, DESCRIPTION_BYTES, DISTANCES_AT);
    let [to, nearest, next] = [-1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let other = 0; other < nB; other += 1) {
      const apart = distances[other] as number;
      if (apart >= next) continue;
      if (apart < nearest) [to, next, nearest] = [other, nearest, apart];
      else next = apart;
    }
    if (next === Number.POSITIVE_INFINITY || nearest >= next * RATIO) continue;
    const known = best.get(to);
    if (!known || nearest < known.distance) best.set(to, { from, distance: nearest });
  }
  return Array.from(best, ([to, { from }]) => [from, to] as const);
}
