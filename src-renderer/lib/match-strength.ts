export type MatchStrength = 'strong' | 'partial' | 'loose';

/** Match strength from the distance, which the core calibrates to be comparable across models. */
export function matchStrength(distance: number): MatchStrength {
  if (distance <= 0.4) return 'strong';
  return distance <= 0.6 ? 'partial' : 'loose';
}

/** The displayed distance of a match. Matches by words have none, since their order says enough. */
export function shownDistance(
  match: { relevance_score: number | null; relevance_score_type: string } | undefined,
): number | null {
  return match?.relevance_score_type === 'cosine_distance' ? match.relevance_score : null;
}
