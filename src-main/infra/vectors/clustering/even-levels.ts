/** Number of levels that Explore offers. */
export const LEVELS = 5;

/**
 * Chooses the levels that Explore offers from many nested levels, finest first: the first, the last, and those whose numbers of clusters
 * divide the range by nearly equal ratios.
 * @param counts Number of clusters of each level.
 * @returns Ascending indexes of levels: {@link LEVELS} of them, or fewer when there are fewer.
 */
export function evenLevels(counts: readonly number[]): number[] {
  const logs = counts.map((count) => Math.log(Math.max(1, count)));
  const [finest = 0, coarsest = 0] = [logs[0], logs.at(-1)];
  const chosen: number[] = [];
  for (let nth = 0; nth < Math.min(LEVELS, logs.length); nth += 1) {
    const target = finest + ((coarsest - finest) * nth) / (LEVELS - 1);
    // Leaves enough candidates for the following levels.
    const last = logs.length - (LEVELS - nth);
    let best = (chosen.at(-1) ?? -1) + 1;
    for (let at = best; at <= last; at += 1) {
      if (Math.abs((logs[at] ?? 0) - target) < Math.abs((logs[best] ?? 0) - target)) best = at;
    }
    chosen.push(best);
  }
  return chosen;
}
