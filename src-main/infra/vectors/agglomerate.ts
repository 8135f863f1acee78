import { setImmediate as nextTurn } from 'node:timers/promises';
import { bridgeGroups, type WaitingPairs } from './bridge-groups.ts';
import type { ClusterLevel } from './cluster-file.ts';
import { makeLevel } from './cluster-level.ts';
import { Dendrogram } from './dendrogram.ts';
import type { NeighborGraph } from './neighbor-graph.ts';
import { PairHeap } from './pair-heap.ts';
import { PairSet } from './pair-set.ts';

/** Pairs handled before other work of the process gets a turn. */
const PAIRS_PER_TURN = 20_000;
/** Times that groups look around at one level; each may make new ones. */
const ROUNDS = 16;

export interface AgglomerateOptions {
  graph: NeighborGraph;
  /** Of all rows of the graph. */
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
 * between two groups of unit vectors is the inner product of their sums over the product of their sizes, so no pair of rows is ever looked
 * at twice. Averages guard against chaining: a thread of look-alikes does not pull two unlike groups together.
 *
 * [Note: Lazy agglomeration] Average linkage is reducible (Bruynooghe 1977): a merger is never nearer to a third group than the nearer of
 * its two parts was. A score from before a merger is thus an upper bound: a pair is scored anew only when it comes to the top of the heap,
 * and pairs that have become the same pair are dropped there. (A part that the third group is not connected with may have been the nearer
 * one; the neighbour graph all but rules that out.)
 *
 * One run gives all levels: level l holds the groups that stand when no connected pair is left with an average of at least `linkageThresholds[l]`, so
 * every group of a coarser level is a union of groups of the finer ones. The result does not depend on the order of rows but for ties.
 * @throws the signal's reason when aborted.
 */
export async function agglomerate(options: AgglomerateOptions): Promise<ClusterLevel[]> {
  const { graph, vectors, dim, rows, linkageThresholds, threads, onProgress, signal } = options;
  const groups = new Dendrogram(vectors, dim, graph.count);
  const lowest = linkageThresholds.at(-1) ?? 1;
  const waiting: WaitingPairs = {
    heap: connectedPairs(graph, rows, lowest),
    queued: new PairSet(groups.limit),
    lowest,
  };
  const levels: ClusterLevel[] = [];
  for (const threshold of linkageThresholds) {
    await mergeDownTo(threshold, groups, waiting, { onProgress, signal });
    for (let round = 0; round < ROUNDS; round += 1) {
      signal?.throwIfAborted();
      const { highest, islands } = scoreConnections(options, groups, waiting);
      const bridged = await bridgeGroups(groups, islands, waiting, dim, threads);
      if (Math.max(highest, bridged) < threshold) break;
      await mergeDownTo(threshold, groups, waiting, { onProgress, signal });
    }
    levels.push(levelOf(groups, rows, graph.count));
  }
  onProgress?.(1);
  return levels;
}

/** Merges until no waiting pair is left with an average cosine of at least `threshold`. */
async function mergeDownTo(
  threshold: number,
  groups: Dendrogram,
  { heap, queued, lowest }: WaitingPairs,
  { onProgress, signal }: Pick<AgglomerateOptions, 'onProgress' | 'signal'>,
): Promise<void> {
  for (let turn = 1; heap.peek() >= threshold && heap.pop(); turn += 1) {
    const [a, b] = [groups.groupOf(heap.a), groups.groupOf(heap.b)];
    if (turn % PAIRS_PER_TURN === 0) {
      signal?.throwIfAborted();
      onProgress?.(Math.min(1, Math.max(0, (1 - heap.similarity) / (1 - lowest))));
      await nextTurn();
    }
    if (a === b) continue;
    if (a === heap.a && b === heap.b) groups.merge(a, b);
    else if (queued.add(Math.min(a, b), Math.max(a, b))) {
      const similarity = groups.averageSimilarity(a, b);
      if (similarity >= lowest) heap.push(similarity, Math.min(a, b), Math.max(a, b));
    }
  }
}

/** Each pair of rows that the graph connects, once. */
function connectedPairs({ count, k, rows: neighbors, similarities }: NeighborGraph, rows: Int32Array, lowest: number) {
  const takesPart = new Uint8Array(count);
  for (const row of rows) takesPart[row] = 1;
  const heap = new PairHeap(rows.length * Math.ceil(k / 2));
  for (const row of rows) {
    for (let at = row * k; at < (row + 1) * k; at += 1) {
      const other = neighbors[at] as number;
      const similarity = similarities[at] as number;
      if (other < 0 || takesPart[other] === 0 || similarity < lowest) continue;
      // Of a pair that is in both lists, the lower row's entry is enough.
      if (other < row && holds(neighbors, other * k, (other + 1) * k, row)) continue;
      heap.push(similarity, Math.min(row, other), Math.max(row, other));
    }
  }
  return heap;
}

/** Whether a row is among the entries of a list; without a view of it, as millions are looked at. */
function holds(neighbors: Int32Array, from: number, to: number, row: number): boolean {
  for (let at = from; at < to; at += 1) if (neighbors[at] === row) return true;
  return false;
}

/**
 * Lets every connected pair of groups wait that never did by its present names.
 * @returns The highest average cosine among them, -1 when there is none; and the groups, ascending, that no edge leads out of or that are
 *   too large for many to do so.
 */
function scoreConnections(
  { graph, rows }: AgglomerateOptions,
  groups: Dendrogram,
  { heap, queued, lowest }: WaitingPairs,
): { highest: number; islands: Int32Array } {
  const { count, k, rows: neighbors } = graph;
  const groupOf = new Int32Array(count).fill(-1);
  for (const row of rows) groupOf[row] = groups.groupOf(row);
  const isConnected = new Uint8Array(groups.limit);
  let highest = -1;
  for (const row of rows) {
    const group = groupOf[row] as number;
    let before = group;
    for (let at = row * k; at < (row + 1) * k; at += 1) {
      const neighbor = neighbors[at] as number;
      const other = neighbor < 0 ? -1 : (groupOf[neighbor] as number);
      if (other < 0 || other === group || other === before) continue;
      before = other;
      isConnected[group] = 1;
      isConnected[other] = 1;
      const [a, b] = group < other ? [group, other] : [other, group];
      // The edges between two rows wait from the start.
      if (b < count || !queued.add(a, b)) continue;
      const similarity = groups.averageSimilarity(a, b);
      if (similarity < lowest) continue;
      heap.push(similarity, a, b);
      highest = Math.max(highest, similarity);
    }
  }
  const islands = new Set<number>();
  for (const row of rows) {
    const group = groupOf[row] as number;
    if (isConnected[group] === 0 || groups.sizeOf(group) > k) islands.add(group);
  }
  return { highest, islands: Int32Array.from(islands).sort() };
}

function levelOf(groups: Dendrogram, rows: Int32Array, count: number): ClusterLevel {
  const groupOf = rows.map((row) => groups.groupOf(row));
  return makeLevel({
    group_of: groupOf,
    n_groups: groups.limit,
    rows,
    count,
    closeness: (at) => groups.closeness(groupOf[at] as number, rows[at] as number),
  });
}
