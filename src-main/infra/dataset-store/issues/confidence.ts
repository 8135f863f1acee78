/** How quickly one gets sure beyond a limit: at twice the limit, or half of it, 0.89. */
const STEEPNESS = 3;

/** How sure an issue is whose measure must be low: 0.5 at the limit, 1 at zero. */
export function confidenceBelow(measure: number, limit: number): number {
  if (!(limit > 0)) return 0;
  return 1 / (1 + (Math.max(0, measure) / limit) ** STEEPNESS);
}

/** How sure an issue is whose measure must be high: 0.5 at the limit, 0 at zero and below. */
export function confidenceAbove(measure: number, limit: number): number {
  if (!(measure > 0)) return 0;
  return 1 / (1 + (Math.max(0, limit) / measure) ** STEEPNESS);
}
