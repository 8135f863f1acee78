import { searchExactly } from '../neighbors/exact-graph.ts';
import { emptyGraph } from '../neighbors/neighbor-graph.ts';
import type { Dendrogram } from './dendrogram.ts';
import type { PairQueue } from './pair-queue.ts';
import type { PairSet } from './pair-set.ts';

/** Pairs of groups that wait to be merged, the most similar first; each two groups wait once. */
export interface WaitingPairs {
  queue: PairQueue;
  queued: PairSet;
  /** Pairs below this average never merge. */
  lowest: number;
}

/** Nearest islands that an island looks at. */
const BRIDGES = 8;

/**
 * Lets the nearest of some groups wait to be merged. A group of more rows than neighbour lists are long can be the neighbours of its own
 * members alone, as many copies of one image are; then no edge leads out of it, and without this it could never meet another, however
 * alike they are. Such groups are few. Their means are compared, whose inner product is their average cosine.
 * @param islands Groups that may have no edge leading out.
 * @returns The highest average cosine among the pairs that wait now and did not before; -1 when there is none.
 */
export async function bridgeGroups(
  groups: Dendrogram,
  islands: Int32Array,
  { queue, queued, lowest }: WaitingPairs,
  dim: number,
  threads: number,
): Promise<number> {
  if (islands.length < 2) return -1;
  const means = new Float32Array(islands.length * dim);
  for (const [at, group] of islands.entries()) groups.copyMean(group, means, at * dim);
  const everyMean = Int32Array.from(islands.keys());
  const graph = emptyGraph(islands.length, BRIDGES);
  await searchExactly({ graph, vectors: means, dim, queries: everyMean, candidates: everyMean, threads });
  let highest = -1;
  for (const [at, near] of graph.rows.entries()) {
    const a = islands[Math.floor(at / BRIDGES)] as number;
    const b = near < 0 ? a : (islands[near] as number);
    if (a === b || !queued.add(Math.min(a, b), Math.max(a, b))) continue;
    const similarity = groups.averageSimilarity(a, b);
    if (similarity < lowest) continue;
    queue.push(similarity, Math.min(a, b), Math.max(a, b));
    highest = Math.max(highest, similarity);
  }
  return highest;
}
