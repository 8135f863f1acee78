import type { ClusterLevel } from './cluster-file.ts';

/** Number of levels that Explore offers. */
export const LEVELS = 5;

/**
 * Chooses the levels that Explore offers from many nested levels, finest first: the first, the last, and those whose numbers of clusters
 * divide the range by nearly equal ratios.
 * @returns Ascending indexes into `levels`: {@link LEVELS} of them, or fewer when `levels` has fewer.
 */
export function evenLevels(levels: readonly ClusterLevel[]): number[] {
  const counts = levels.map((level) => Math.log(Math.max(1, level.offsets.length - 1)));
  const [finest = 0, coarsest = 0] = [counts[0], counts.at(-1)];
  const chosen: number[] = [];
  for (let nth = 0; nth < Math.min(LEVELS, levels.length); nth += 1) {
    const target = finest + ((coarsest - finest) * nth) / (LEVELS - 1);
    // Leaves enough candidates for the following levels.
    const last = levels.length - (LEVELS - nth);
    let best = (chosen.at(-1) ?? -1) + 1;
    for (let at = best; at <= last; at += 1) {
      if (Math.abs((counts[at] ?? 0) - target) < Math.abs((counts[best] ?? 0) - target)) best = at;
    }
    chosen.push(best);
  }
  return chosen;
}
