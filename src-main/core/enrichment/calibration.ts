import type { NoiseDistribution } from '../ports/query.ts';

/** Number of standard deviations above the mean of the noise at which the distance is 0.5. */
const HALFWAY_DEVIATIONS = 2.5;
/**
 * Slope of the logistic curve. It gives distance 0.4 (strong) at 3 deviations and 0.6 (loose) at 2: ln(0.6 / 0.4) over half a deviation.
 */
const STEEPNESS = Math.log(0.6 / 0.4) / 0.5;

/**
 * Converts a cosine similarity to the distance that users and clients see: 0 … 1, where up to 0.4 is strong and above 0.6 loose. The
 * cosines of text-to-image encoders lie in a narrow range that differs between models. The number of standard deviations above the mean
 * cosine of unrelated pairs is comparable between models (as in score normalisation by an impostor cohort: Auckenthaler, Carey and
 * Lloyd-Thomas, "Score Normalization for Text-Independent Speaker Verification Systems", 2000). The logistic curve is monotonic and never
 * reaches 0 or 1.
 */
export function calibratedDistance(cosine: number, { mean, deviation }: NoiseDistribution): number {
  return 1 / (1 + Math.exp(STEEPNESS * ((cosine - mean) / deviation - HALFWAY_DEVIATIONS)));
}

/** Converts a distance to a cosine similarity; the inverse of {@link calibratedDistance}. */
export function cosineAt(distance: number, { mean, deviation }: NoiseDistribution): number {
  if (distance <= 0) return Number.POSITIVE_INFINITY;
  if (distance >= 1) return Number.NEGATIVE_INFINITY;
  return mean + deviation * (HALFWAY_DEVIATIONS + Math.log(1 / distance - 1) / STEEPNESS);
}
