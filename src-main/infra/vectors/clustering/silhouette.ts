import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import type { ClusterLevel } from './cluster-file.ts';

/**
 * Mean silhouette of clustered rows (Rousseeuw 1987), −1 … 1: how much nearer a row is to its own cluster than to the next one; 0 for a
 * single row. Distances are 1 − cosine. Only the cosines of the neighbour graph are known: other rows count as far away as the farthest
 * neighbour.
 * @param measured Clustered rows; 0 without any.
 */
export function silhouetteOf(
  { k, rows, similarities }: NeighborGraph,
  { labels, offsets }: ClusterLevel,
  measured: Int32Array,
): number {
  const sizeOf = (cluster: number) => (offsets[cluster + 1] as number) - (offsets[cluster] as number);
  // Of one row: the clusters among its neighbours, and their numbers and sums of cosines.
  const [clusters, counts, sums] = [new Int32Array(k), new Int32Array(k), new Float64Array(k)];
  let total = 0;
  for (const row of measured) {
    const own = labels[row] as number;
    if (sizeOf(own) === 1) continue;
    let nClusters = 0;
    let farthest = 1;
    for (let at = row * k; at < (row + 1) * k; at += 1) {
      const neighbor = rows[at] as number;
      const cluster = neighbor < 0 ? -1 : (labels[neighbor] as number);
      if (cluster < 0) continue;
      const similarity = similarities[at] as number;
      farthest = Math.min(farthest, similarity);
      let place = 0;
      while (place < nClusters && clusters[place] !== cluster) place += 1;
      if (place === nClusters) {
        clusters[place] = cluster;
        counts[place] = 0;
        sums[place] = 0;
        nClusters += 1;
      }
      counts[place] = (counts[place] as number) + 1;
      sums[place] = (sums[place] as number) + similarity;
    }
    if (nClusters === 0) continue;
    let inside = farthest;
    let next = farthest;
    for (let place = 0; place < nClusters; place += 1) {
      const isOwn = clusters[place] === own;
      const others = sizeOf(clusters[place] as number) - (isOwn ? 1 : 0);
      const mean = ((sums[place] as number) + Math.max(0, others - (counts[place] as number)) * farthest) / others;
      if (isOwn) inside = mean;
      else next = Math.max(next, mean);
    }
    total += (inside - next) / Math.max(1 - inside, 1 - next, Number.EPSILON);
  }
  return measured.length === 0 ? 0 : total / measured.length;
}
