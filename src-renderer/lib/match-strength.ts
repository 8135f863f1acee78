export type MatchStrength = 'strong' | 'partial' | 'loose';

/** How well words fit, by the distance that the core gives: calibrated, so that it reads alike whatever the model. */
export function matchStrength(distance: number): MatchStrength {
  if (distance <= 0.4) return 'strong';
  return distance <= 0.6 ? 'partial' : 'loose';
}

/** The distance that a match is shown with; the order of matches by words says what there is to say. */
export function shownDistance(
  match: { relevance_score: number | null; relevance_score_type: string } | undefined,
): number | null {
  return match?.relevance_score_type === 'cosine_distance' ? match.relevance_score : null;
}
