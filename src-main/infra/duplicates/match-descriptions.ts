import { type VectorKernels, vectorKernels } from '../vectors/vector-kernels.ts';

/** Size in bytes of a keypoint's binary descriptor. */
const DESCRIPTION_BYTES = 32;
/** Maximum number of descriptors used per image. */
const MAX_DESCRIPTIONS = 512;
/** A match is valid when its distance is below this share of the second-best distance (Lowe, IJCV 60(2), 2004, section 7.1). */
const RATIO = 0.85;

/** Addresses in the kernel's memory: the distances of one descriptor, and the descriptors of both images. */
const DISTANCES_AT = 0;
const A_AT = DISTANCES_AT + MAX_DESCRIPTIONS * 4;
const B_AT = A_AT + MAX_DESCRIPTIONS * DESCRIPTION_BYTES;

interface Matcher {
  bytes: Uint8Array;
  distances: Uint32Array;
  differingBits: VectorKernels['differingBits'];
}
let matcher: Matcher | undefined;

function makeMatcher(): Matcher {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  return {
    bytes: new Uint8Array(memory.buffer),
    distances: new Uint32Array(memory.buffer, DISTANCES_AT, MAX_DESCRIPTIONS),
    differingBits: vectorKernels(memory).differingBits,
  };
}

/**
 * Matches descriptors of `a` with descriptors of `b`, by index: the nearest in Hamming distance, if the second nearest is clearly farther
 * away. Each descriptor of `b` is used at most once. All pairs are compared, which takes a tenth of the time of OpenCV's matcher in
 * WebAssembly.
 */
export function matchDescriptions(a: Uint8Array, b: Uint8Array): (readonly [a: number, b: number])[] {
  matcher ??= makeMatcher();
  const { bytes, distances, differingBits } = matcher;
  const [nA, nB] = [a, b].map(({ length }) => Math.min(MAX_DESCRIPTIONS, length / DESCRIPTION_BYTES)) as [
    number,
    number,
  ];
  bytes.set(a.subarray(0, nA * DESCRIPTION_BYTES), A_AT);
  bytes.set(b.subarray(0, nB * DESCRIPTION_BYTES), B_AT);
  const best = new Map<number, { from: number; distance: number }>();
  for (let from = 0; from < nA; from += 1) {
    differingBits(A_AT + from * DESCRIPTION_BYTES, B_AT, nB, DISTANCES_AT);
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
