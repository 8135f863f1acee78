import { accumulate, solve } from './linear-equations.ts';

/** Maximum difference of a sample that a change of the whole image leaves unexplained, in levels of 0 … 255: luma and chroma. */
const [LUMA_TOLERANCE, CHROMA_TOLERANCE] = [26, 20];
/** Levels near black and white, where a change may be cut off. */
const [DARKEST, BRIGHTEST] = [4, 251];
/** Bounds of the gains of luma and chroma. */
const [LEAST_GAIN, MAX_GAIN, MAX_SATURATION] = [0.2, 4, 2.5];
/** Samples further from the change than this many levels have little influence on it (Cauchy's weights). */
const SCALE = 8;
const ROUNDS = 6;
/** Weight, in samples, of the assumption that nothing has changed. */
const PRIOR = 8;
/** Maximum number of samples from which the change is computed. */
const MAX_FITTED = 1024;

/** Samples of two superimposed images at the same places: luma 0 … 255, and two chroma channels around 0. */
export interface ColourSamples {
  count: number;
  a: Float32Array;
  b: Float32Array;
  /** By sample: additional tolerance in levels, near edges. */
  tolerance: Float32Array;
}

/**
 * Marks the samples whose colour differs more than a change of the whole image explains. Such changes are exposure, contrast, white balance,
 * tint and saturation: luma is scaled and shifted; chroma is scaled, and shifted in proportion to luma. Both directions are tried, because a
 * grey image can be computed from its colours, but not the reverse.
 */
export function differingColours(samples: ColourSamples): Uint8Array {
  const forward = differing(samples);
  const backward = differing({ ...samples, a: samples.b, b: samples.a });
  const nForward = forward.reduce((sum, one) => sum + one, 0);
  const nBackward = backward.reduce((sum, one) => sum + one, 0);
  return nForward <= nBackward ? forward : backward;
}

function differing({ count, a, b, tolerance }: ColourSamples): Uint8Array {
  const step = Math.max(1, Math.ceil(count / MAX_FITTED));
  const [gain, offset] = fitLuma(a, b, count, step);
  const [saturation, tintB, shiftB, tintR, shiftR] = fitChroma(a, b, count, step);
  const marked = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) {
    const [luma, blue, red] = [a[at * 3] as number, a[at * 3 + 1] as number, a[at * 3 + 2] as number];
    const [toLuma, toBlue, toRed] = [b[at * 3] as number, b[at * 3 + 1] as number, b[at * 3 + 2] as number];
    const extra = tolerance[at] as number;
    const expected = Math.min(255, Math.max(0, gain * luma + offset));
    // A value clipped at white may have been any higher value, and one clipped at black any lower value.
    const isCut = (luma >= BRIGHTEST && toLuma >= expected) || (luma <= DARKEST && toLuma <= expected);
    if (!isCut && Math.abs(toLuma - expected) > LUMA_TOLERANCE + extra) {
      marked[at] = 1;
      continue;
    }
    // White and black have no colour left to compare.
    if (luma >= BRIGHTEST || luma <= DARKEST || toLuma >= BRIGHTEST || toLuma <= DARKEST) continue;
    const offBlue = toBlue - (saturation * blue + tintB * luma + shiftB);
    const offRed = toRed - (saturation * red + tintR * luma + shiftR);
    if (Math.max(Math.abs(offBlue), Math.abs(offRed)) > CHROMA_TOLERANCE + extra) marked[at] = 1;
  }
  return marked;
}

/** Fits b = gain · a + offset to the luma of most samples: iteratively reweighted least squares. */
function fitLuma(a: Float32Array, b: Float32Array, count: number, step: number): [gain: number, offset: number] {
  const middle = medianOf(a, b, count, step);
  let [gain, offset] = [1, middle];
  for (let round = 0; round < ROUNDS; round += 1) {
    let [n, x, y, xx, xy] = [0, 0, 0, 0, 0];
    for (let at = 0; at < count; at += step) {
      const [from, to] = [a[at * 3] as number, b[at * 3] as number];
      if (from >= BRIGHTEST || to >= BRIGHTEST || from <= DARKEST || to <= DARKEST) continue;
      const weight = 1 / (1 + ((to - gain * from - offset) / SCALE) ** 2);
      n += weight;
      x += weight * from;
      y += weight * to;
      xx += weight * from * from;
      xy += weight * from * to;
    }
    if (n < PRIOR) break;
    const [meanX, meanY] = [x / n, y / n];
    // The prior is a gain of 1, with the weight of some samples that vary by 30 levels.
    const prior = PRIOR * 30 ** 2;
    const slope = (xy - n * meanX * meanY + prior) / (xx - n * meanX * meanX + prior);
    gain = Math.min(MAX_GAIN, Math.max(LEAST_GAIN, slope));
    offset = meanY - gain * meanX;
  }
  return [gain, offset];
}

/** Median difference of luma. */
function medianOf(a: Float32Array, b: Float32Array, count: number, step: number): number {
  const differences: number[] = [];
  for (let at = 0; at < count; at += step) differences.push((b[at * 3] as number) - (a[at * 3] as number));
  differences.sort((one, other) => one - other);
  return differences[differences.length >> 1] ?? 0;
}

type Chroma = [saturation: number, tintB: number, shiftB: number, tintR: number, shiftR: number];

/** Fits both chroma channels: b = saturation · a + tint · luma + shift, with one saturation for both. */
function fitChroma(a: Float32Array, b: Float32Array, count: number, step: number): Chroma {
  let fitted: Chroma = [1, 0, 0, 0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [saturation, tintB, shiftB, tintR, shiftR] = fitted;
    const left = new Float64Array(25);
    const right = new Float64Array(5);
    for (let at = 0; at < count; at += step) {
      const [luma, blue, red] = [a[at * 3] as number, a[at * 3 + 1] as number, a[at * 3 + 2] as number];
      const [toLuma, toBlue, toRed] = [b[at * 3] as number, b[at * 3 + 1] as number, b[at * 3 + 2] as number];
      if (luma >= BRIGHTEST || luma <= DARKEST || toLuma >= BRIGHTEST || toLuma <= DARKEST) continue;
      const offBlue = toBlue - (saturation * blue + tintB * luma + shiftB);
      const offRed = toRed - (saturation * red + tintR * luma + shiftR);
      const weight = 1 / (1 + (offBlue * offBlue + offRed * offRed) / SCALE ** 2);
      const scaled = luma / 128;
      accumulate(left, right, weight, [blue, scaled, 1, 0, 0], toBlue);
      accumulate(left, right, weight, [red, 0, 0, scaled, 1], toRed);
    }
    for (const [at, prior] of [PRIOR * 15 ** 2, PRIOR, PRIOR, PRIOR, PRIOR].entries()) {
      left[at * 6] = (left[at * 6] as number) + prior;
    }
    right[0] = (right[0] as number) + PRIOR * 15 ** 2;
    const [s = 1, tb = 0, sb = 0, tr = 0, sr = 0] = solve(left, right);
    fitted = [Math.min(MAX_SATURATION, Math.max(0, s)), tb / 128, sb, tr / 128, sr];
  }
  return fitted;
}
