import {
  add,
  BYTES,
  EVEN,
  end,
  get,
  isLess,
  LEFT,
  leaveIf,
  loadFloat,
  loadLanes,
  loop,
  multiplyFloats,
  ODD,
  OFFSET,
  POINTER,
  QUERY,
  RIGHT,
  scoreKernel,
  set,
  subtract,
  tee,
  toFloat,
  word,
} from './score-kernel.ts';

/** Bytes at the end of a code, of which the first four are its scale. */
export const SCALE_BYTES = 16;
const LARGEST = 127;

const addLanes = [0xfd, 0xae, 0x01];
const lane = (index: number) => [0xfd, 0x1b, index];
/** i16x8 products of the lower or upper eight of 16 bytes each. */
const multiplyLower = [0xfd, 0x9c, 0x01];
const multiplyUpper = [0xfd, 0x9d, 0x01];
/** i32x4 sums of pairs. */
const addPairs = [0xfd, 0x7e];

const accumulate = (sum: number, multiplied: readonly number[]) => [
  ...[...get(sum), ...get(LEFT), ...get(RIGHT), ...multiplied, ...addPairs, ...addLanes, ...set(sum)],
];
const scaleOf = (vector: number) => [
  ...get(vector),
  ...get(BYTES),
  ...add,
  ...word(SCALE_BYTES),
  ...subtract,
  ...loadFloat,
];

/** Inner products of vectors as {@link writeCodes} leaves them. */
export const codeProductsOver = scoreKernel([
  ...loop,
  ...[...get(POINTER), ...get(OFFSET), ...add, ...loadLanes(0), ...set(LEFT)],
  ...[...get(QUERY), ...get(OFFSET), ...add, ...loadLanes(0), ...set(RIGHT)],
  ...accumulate(EVEN, multiplyLower),
  ...accumulate(ODD, multiplyUpper),
  ...[...get(OFFSET), ...word(16), ...add, ...tee(OFFSET)],
  ...[...get(BYTES), ...word(SCALE_BYTES), ...subtract, ...isLess, ...leaveIf(0)],
  ...end,
  ...[...get(EVEN), ...get(ODD), ...addLanes, ...tee(EVEN), ...lane(0)],
  ...[1, 2, 3].flatMap((index) => [...get(EVEN), ...lane(index), ...add]),
  ...[...toFloat, ...scaleOf(POINTER), ...multiplyFloats, ...scaleOf(QUERY), ...multiplyFloats],
]);

/** Bytes of the code of a vector. */
export function codeBytes(dim: number): number {
  return Math.ceil(dim / 16) * 16 + SCALE_BYTES;
}

/**
 * Scalar quantization: a byte a component, by the largest of each vector. Of unit vectors of 512 components, products are off by about
 * 0.0005.
 * @param vectors `width` floats each, of which the first `dim` count.
 */
export function writeCodes(
  buffer: ArrayBufferLike,
  at: number,
  { vectors, width, dim }: { vectors: Float32Array; width: number; dim: number },
): void {
  const bytes = codeBytes(dim);
  const nVectors = vectors.length / width;
  const codes = new Int8Array(buffer, at, nVectors * bytes);
  const scales = new Float32Array(buffer, at, (nVectors * bytes) / 4);
  for (let nth = 0; nth < nVectors; nth += 1) {
    const [from, to] = [nth * width, nth * bytes];
    const vector = vectors.subarray(from, from + dim);
    const largest = largestOf(vector);
    const steps = largest > 0 ? LARGEST / largest : 0;
    for (let component = 0; component < dim; component += 1) {
      // Rounded as whole numbers are: Math.round() takes several times as long.
      codes[to + component] = (((vector[component] as number) * steps + LARGEST + 0.5) | 0) - LARGEST;
    }
    scales[(to + bytes - SCALE_BYTES) / 4] = largest / LARGEST;
  }
}

function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (let component = 0; component < vector.length; component += 1) {
    const value = vector[component] as number;
    if (value > largest) largest = value;
    else if (-value > largest) largest = -value;
  }
  return largest;
}
