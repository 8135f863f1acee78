import type { ClusterLevel } from './cluster-file.ts';

/** Levels that Explore offers. */
export const LEVELS = 5;

/**
 * Of many nested levels, finest first, those that people step through: the first, the last, and between them those whose numbers of
 * clusters come nearest to equal ratios, so that each step brings about as much as the others.
 * @returns Places among `levels`, rising; as many as {@link LEVELS} where there are that many.
 */
export function evenLevels(levels: readonly ClusterLevel[]): number[] {
  const counts = levels.map((level) => Math.log(Math.max(1, level.offsets.length - 1)));
  const [finest = 0, coarsest = 0] = [counts[0], counts.at(-1)];
  const chosen: number[] = [];
  for (let nth = 0; nth < Math.min(LEVELS, levels.length); nth += 1) {
    const wanted = finest + ((coarsest - finest) * nth) / (LEVELS - 1);
    // Enough must be left for the levels after this one.
    const last = levels.length - (LEVELS - nth);
    let best = (chosen.at(-1) ?? -1) + 1;
    for (let at = best; at <= last; at += 1) {
      if (Math.abs((counts[at] ?? 0) - wanted) < Math.abs((counts[best] ?? 0) - wanted)) best = at;
    }
    chosen.push(best);
  }
  return chosen;
}
