import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import type { ClusterLevel } from './cluster-file.ts';

/**
 * Modularity (Newman & Girvan 2004): the share of the edges of the neighbour graph inside clusters, less the share that is expected if edges
 * were random; 0 without edges. Each row counts with its log2(n) nearest neighbours: as few as keep large groups connected (von Luxburg 2007),
 * because modularity merges groups that are smaller than the lists (Fortunato & Barthélemy 2007).
 * @param measured Clustered rows whose edges count.
 */
export function modularityOf(
  { k, rows }: NeighborGraph,
  { labels, offsets, members }: ClusterLevel,
  measured: Int32Array,
): number {
  const nNeighbors = Math.min(k, Math.max(1, Math.ceil(Math.log2(members.length))));
  /** Number of edge ends in each cluster. */
  const ends = new Float64Array(offsets.length - 1);
  let nEdges = 0;
  let nInside = 0;
  for (const row of measured) {
    const cluster = labels[row] as number;
    for (let at = row * k; at < row * k + nNeighbors; at += 1) {
      const neighbor = rows[at] as number;
      const other = neighbor < 0 ? -1 : (labels[neighbor] as number);
      if (other < 0) continue;
      nEdges += 1;
      ends[cluster] = (ends[cluster] as number) + 1;
      ends[other] = (ends[other] as number) + 1;
      if (cluster === other) nInside += 1;
    }
  }
  if (nEdges === 0) return 0;
  return ends.reduce((sum, n) => sum - (n / (2 * nEdges)) ** 2, nInside / nEdges);
}
