import type { ClusterLevel } from '../../vectors/clustering/cluster-file.ts';
import type { RowSet } from '../../vectors/row-set.ts';

/** Returns a level without its dead rows and without the clusters that have no living row; the level itself if none of its rows is dead. */
export function livingClusters(level: ClusterLevel, alive: RowSet): ClusterLevel {
  if (alive.count === alive.size) return level;
  const members = level.members.filter((row) => alive.has(row));
  if (members.length === level.members.length) return level;
  const labels = new Int32Array(level.labels.length).fill(-1);
  const offsets: number[] = [0];
  let kept = 0;
  for (let cluster = 0; cluster + 1 < level.offsets.length; cluster += 1) {
    const end = level.offsets[cluster + 1] ?? 0;
    const first = kept;
    for (let at = level.offsets[cluster] ?? 0; at < end; at += 1) {
      const row = level.members[at] ?? -1;
      if (!alive.has(row)) continue;
      labels[row] = offsets.length - 1;
      kept += 1;
    }
    if (kept > first) offsets.push(kept);
  }
  return { labels, offsets: Int32Array.from(offsets), members };
}
