import { setImmediate as nextTurn } from 'node:timers/promises';
import { highestFirst } from '../highest-first.ts';
import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import type { ClusterLevel } from './cluster-file.ts';
import { makeLevel } from './cluster-level.ts';
import { Dendrogram } from './dendrogram.ts';
import { GroupBridges } from './group-bridges.ts';
import { GroupConnections } from './group-connections.ts';
import { PairQueue } from './pair-queue.ts';
import { WaitingPairs } from './waiting-pairs.ts';

/** Number of pairs that are merged before the event loop runs. */
const PAIRS_PER_TURN = 20_000;
/** Maximum number of rounds per level that score pairs of merged groups again; each round may merge more. */
const ROUNDS = 16;

export interface AgglomerateOptions {
  graph: NeighborGraph;
  /** Vectors of all rows of the graph. */
  vectors: Float32Array;
  dim: number;
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
export async function agglomerate(options: AgglomerateOptions): Promise<ClusterLevel[]> {
  const { graph, vectors, dim, rows, linkageThresholds, threads, onProgress, signal } = options;
  const groups = new Dendrogram(vectors, dim, graph.count);
  const lowest = linkageThresholds.at(-1) ?? 1;
  const waiting = new WaitingPairs(new PairQueue(graph, rows, lowest, groups), groups, lowest);
  const connections = new GroupConnections(graph, rows, groups);
  const bridges = new GroupBridges(groups, dim, threads);
  const maker = new LevelMaker(groups, rows, graph.count);
  const levels: ClusterLevel[] = [];
  for (const threshold of linkageThresholds) {
    await mergeDownTo(threshold, groups, waiting, { onProgress, signal });
    for (let round = 0; round < ROUNDS; round += 1) {
      signal?.throwIfAborted();
      const { highest, islands } = connections.queue(waiting);
      const bridged = await bridges.queue(islands, waiting);
      if (Math.max(highest, bridged) < threshold) break;
      await mergeDownTo(threshold, groups, waiting, { onProgress, signal });
    }
    levels.push(maker.level());
  }
  onProgress?.(1);
  return levels;
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

/** Builds levels from the current groups. Similarities of rows to the mean of their group are reused while the group stays the same. */
class LevelMaker {
  readonly #groups: Dendrogram;
  readonly #rows: Int32Array;
  readonly #count: number;
  readonly #groupOf: Int32Array;
  readonly #closeness: Float32Array;

  constructor(groups: Dendrogram, rows: Int32Array, count: number) {
    this.#groups = groups;
    this.#rows = rows;
    this.#count = count;
    // Initially each row is a group.
    this.#groupOf = rows.slice();
    this.#closeness = new Float32Array(rows.length).fill(1);
  }

  level(): ClusterLevel {
    for (let at = 0; at < this.#rows.length; at += 1) {
      const row = this.#rows[at] as number;
      const group = this.#groups.groupOf(row);
      if (group === this.#groupOf[at]) continue;
      this.#groupOf[at] = group;
      this.#closeness[at] = this.#groups.closeness(group, row);
    }
    return makeLevel({
      group_of: this.#groupOf,
      n_groups: this.#groups.limit,
      rows: this.#rows,
      count: this.#count,
      closest_first: highestFirst(this.#closeness),
    });
  }
}
