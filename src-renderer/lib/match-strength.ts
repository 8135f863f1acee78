export type MatchStrength = 'strong' | 'partial' | 'loose';

/** How well words fit, by the distance that the core gives: calibrated, so that it reads alike whatever the model. */
export function matchStrength(distance: number): MatchStrength {
  if (distance <= 0.4) return 'strong';
  return distance <= 0.6 ? 'partial' : 'loose';
}
