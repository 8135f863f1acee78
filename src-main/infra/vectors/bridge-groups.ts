import type { Dendrogram } from './dendrogram.ts';
import { ExactIndex } from './exact-index.ts';
import type { PairHeap } from './pair-heap.ts';
import type { PairSet } from './pair-set.ts';

/** Pairs of groups that wait to be merged, the most similar first; each two groups wait once. */
export interface WaitingPairs {
  heap: PairHeap;
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
  { heap, queued, lowest }: WaitingPairs,
  dim: number,
  threads: number,
): Promise<number> {
  if (islands.length < 2) return -1;
  const means = new Float32Array(islands.length * dim);
  for (const [at, group] of islands.entries()) groups.copyMean(group, means, at * dim);
  const index = await ExactIndex.open({ vectors: means, dim, count: islands.length, threads });
  let highest = -1;
  try {
    const block = ExactIndex.blockRows(islands.length);
    for (let first = 0; first < islands.length; first += block) {
      const nAsking = Math.min(block, islands.length - first);
      const asking = means.subarray(first * dim, (first + nAsking) * dim);
      const { rows } = await index.searchMany(asking, BRIDGES + 1);
      for (let hit = 0; hit < rows.length; hit += 1) {
        const a = islands[first + Math.floor(hit / (rows.length / nAsking))] as number;
        const b = islands[rows[hit] as number] as number;
        if (a === b || !queued.add(Math.min(a, b), Math.max(a, b))) continue;
        const similarity = groups.averageSimilarity(a, b);
        if (similarity < lowest) continue;
        heap.push(similarity, Math.min(a, b), Math.max(a, b));
        highest = Math.max(highest, similarity);
      }
    }
  } finally {
    await index.close();
  }
  return highest;
}
