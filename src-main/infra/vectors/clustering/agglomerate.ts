import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { CodeSlots } from './code-slots.ts';
import { Dendrogram } from './dendrogram.ts';
import { GroupBridges } from './group-bridges.ts';
import { GroupConnections } from './group-connections.ts';
import { MergeHistory } from './merge-history.ts';
import { PairQueue } from './pair-queue.ts';
import { WaitingPairs } from './waiting-pairs.ts';

/** Number of pairs that are merged before the event loop runs. */
const PAIRS_PER_TURN = 20_000;
/** Maximum number of rounds per level that score pairs of merged groups again; each round may merge more. */
const ROUNDS = 16;

export interface AgglomerateOptions {
  graph: NeighborGraph;
  /** Vectors of all rows of the graph. */
  vectors: RowVectors;
  /** Row numbers to group, ascending; the others are in no cluster. */
  rows: Int32Array;
  /** Average cosine similarities, finest (highest) first. */
  linkageThresholds: readonly number[];
  threads: number;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Average-linkage agglomeration (UPGMA; Sokal & Michener 1958) constrained to pairs that the neighbour graph connects. The average cosine
 * between two groups of unit vectors is the inner product of their sums over the product of their sizes, so no pair of rows is compared
 * twice. Averages prevent chaining: a chain of similar rows does not merge two dissimilar groups.
 *
 * [Note: Lazy agglomeration] Average linkage is reducible (Bruynooghe 1977): a merged group is never nearer to a third group than the
 * nearer of its two parts was. A score from before a merger is therefore an upper bound: a pair is scored again only when it is next in the
 * queue, and pairs that have become the same pair are dropped then. (A part that is not connected with the third group may have been the
 * nearer one; with the neighbour graph that is very rare.)
 *
 * One run gives all levels: level l has the groups that remain when no connected pair has an average of at least `linkageThresholds[l]`, so
 * every group of a coarser level is a union of groups of the finer ones. Except for ties, the result does not depend on the order of rows.
 * @throws the signal's reason when aborted.
 */
export async function agglomerate(options: AgglomerateOptions): Promise<MergeHistory> {
  const { graph, vectors, rows, linkageThresholds, threads, onProgress, signal } = options;
  const slots = new CodeSlots(vectors.dim, rows.length);
  const groups = new Dendrogram(slots, rows, graph.count);
  const lowest = linkageThresholds.at(-1) ?? 1;
  const waiting = new WaitingPairs(new PairQueue(graph, rows, groups), groups, lowest);
  const connections = new GroupConnections(graph, rows, groups);
  const bridges = new GroupBridges(groups, vectors.dim, threads);
  const limits: number[] = [];
  for (const threshold of linkageThresholds) {
    waiting.queue.queueRows(threshold);
    // After the first pairs were queued, which takes some memory.
    if (limits.length === 0) slots.encode(vectors, rows);
    await mergeDownTo(threshold, groups, waiting, { onProgress, signal });
    for (let round = 0; round < ROUNDS; round += 1) {
      signal?.throwIfAborted();
      const { highest, islands } = connections.queue(waiting);
      const bridged = await bridges.queue(islands, waiting);
      if (Math.max(highest, bridged) < threshold) break;
      await mergeDownTo(threshold, groups, waiting, { onProgress, signal });
    }
    limits.push(groups.next);
  }
  onProgress?.(1);
  return new MergeHistory(groups.mergedInto, limits, rows, slots);
}

/** Merges until no queued pair has an average cosine of at least `threshold`. */
async function mergeDownTo(
  threshold: number,
  groups: Dendrogram,
  waiting: WaitingPairs,
  { onProgress, signal }: Pick<AgglomerateOptions, 'onProgress' | 'signal'>,
): Promise<void> {
  const { queue, lowest } = waiting;
  for (let turn = 1; queue.peek() >= threshold && queue.pop(); turn += 1) {
    const [a, b] = [groups.groupOf(queue.a), groups.groupOf(queue.b)];
    if (turn % PAIRS_PER_TURN === 0) {
      signal?.throwIfAborted();
      onProgress?.(Math.min(1, Math.max(0, (1 - queue.similarity) / (1 - lowest))));
      await nextTurn();
    }
    if (a === b) continue;
    if (a === queue.a && b === queue.b) groups.merge(a, b);
    else waiting.add(a, b);
  }
}
