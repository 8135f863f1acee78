import type { NoiseDistribution } from '../ports/query.ts';

/** Standard deviations above the noise at which a text is half-way to fitting an image. */
const HALFWAY_DEVIATIONS = 2.5;
/** So steep that a match reads as strong (distance 0.4) at 3 deviations and as loose (0.6) at 2: ln(0.6 / 0.4) over half a deviation. */
const STEEPNESS = Math.log(0.6 / 0.4) / 0.5;

/**
 * The distance that people and clients read: 0 … 1, where up to 0.4 is strong and above 0.6 loose. Cosines of text-to-image encoders live in a
 * narrow band that differs from model to model; how far one stands out of the cosines of unrelated pairs means the same for all (as in
 * score normalisation by an impostor cohort: Auckenthaler, Carey and Lloyd-Thomas, "Score Normalization for Text-Independent Speaker
 * Verification Systems", 2000). The logistic curve keeps the order and never reaches 0 or 1.
 */
export function calibratedDistance(cosine: number, { mean, deviation }: NoiseDistribution): number {
  return 1 / (1 + Math.exp(STEEPNESS * ((cosine - mean) / deviation - HALFWAY_DEVIATIONS)));
}

/** The cosine that reads as a distance; the inverse of {@link calibratedDistance}. */
export function cosineAt(distance: number, { mean, deviation }: NoiseDistribution): number {
  if (distance <= 0) return Number.POSITIVE_INFINITY;
  if (distance >= 1) return Number.NEGATIVE_INFINITY;
  return mean + deviation * (HALFWAY_DEVIATIONS + Math.log(1 / distance - 1) / STEEPNESS);
}
