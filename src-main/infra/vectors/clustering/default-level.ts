import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { sampleRows } from '../rows.ts';
import type { ClusterLevel } from './cluster-file.ts';
import { modularityOf } from './modularity.ts';
import { silhouetteOf } from './silhouette.ts';

/**
 * Weight of modularity beside the silhouette. The silhouette alone chooses very fine levels where groups overlap, and modularity alone merges
 * small groups. Values from 0.25 to 0.5 chose equally well among generated vectors.
 */
const MODULARITY_WEIGHT = 0.5;
/** Maximum number of rows that are measured: a sample of so many is off by about 0.002. */
const MOST_ROWS = 2 ** 15;
const SEED = 1;

/**
 * Chooses the level that is shown first: the one whose clusters are most separate in the neighbour graph, the finest of equal ones.
 * @param levels Finest first.
 * @returns Index into `levels`.
 */
export function defaultLevel(graph: NeighborGraph, levels: readonly ClusterLevel[]): number {
  const rows = sampleRows(levels[0]?.members ?? new Int32Array(), MOST_ROWS, SEED);
  let best = { level: 0, quality: Number.NEGATIVE_INFINITY };
  for (const [level, clusters] of levels.entries()) {
    const quality = silhouetteOf(graph, clusters, rows) + MODULARITY_WEIGHT * modularityOf(graph, clusters, rows);
    if (quality > best.quality) best = { level, quality };
  }
  return best.level;
}
