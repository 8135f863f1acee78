/** Steepness of the confidence around a limit: at twice the limit, or half of it, the confidence is 0.89. */
const STEEPNESS = 3;

/** Returns the confidence, 0 … 1, of an issue indicated by a low measure: 0.5 at the limit, 1 at zero. */
export function confidenceBelow(measure: number, limit: number): number {
  if (!(limit > 0)) return 0;
  return 1 / (1 + (Math.max(0, measure) / limit) ** STEEPNESS);
}

/** Returns the confidence, 0 … 1, of an issue indicated by a high measure: 0.5 at the limit, 0 at zero and below. */
export function confidenceAbove(measure: number, limit: number): number {
  if (!(measure > 0)) return 0;
  return 1 / (1 + (Math.max(0, limit) / measure) ** STEEPNESS);
}
