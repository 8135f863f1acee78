import type { NoiseDistribution } from '../../../core/ports/query.ts';

/** Maximum expected share of rows within the cut-off that are there by chance. */
const FALSE_SHARE = 0.1;

/**
 * Returns how many of the most similar rows stand out of the noise, so that at most {@link FALSE_SHARE} of them is expected to be there by
 * chance (Benjamini and Hochberg, "Controlling the False Discovery Rate", 1995). The required similarity rises with the number of searched
 * rows and falls with the number of matches: a thousand images without a zebra give none, while a faint match among many strong ones is
 * included.
 * @param best Similarities of the best rows, descending.
 * @param sample Similarities of rows taken evenly from all searched rows.
 * @param nRows Number of searched rows.
 */
export function countOutstanding(
  best: readonly number[] | Float32Array,
  sample: Float32Array,
  nRows: number,
  { mean, deviation }: NoiseDistribution,
): number {
  // Some texts are nearer to all images than others are, so the median of the sample is used. Half of a dataset may match a text, so the
  // median is limited to one deviation from the mean of the noise.
  const middle = sample.length === 0 ? mean : (sample.toSorted()[sample.length >> 1] as number);
  const centre = Math.min(mean + deviation, Math.max(mean - deviation, middle));
  let found = 0;
  for (const [at, similarity] of best.entries()) {
    if ((chanceAbove((similarity - centre) / deviation) * nRows) / (at + 1) <= FALSE_SHARE) found = at + 1;
  }
  return found;
}

/**
 * Returns the probability that a standard normal variable is above `z` (Abramowitz and Stegun, Handbook of Mathematical Functions,
 * 26.2.17).
 */
function chanceAbove(z: number): number {
  if (z < 0) return 1 - chanceAbove(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}
