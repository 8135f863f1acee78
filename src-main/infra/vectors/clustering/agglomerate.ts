import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { type NeighborGraph, renumberRows } from '../neighbors/neighbor-graph.ts';
import { rowsOfList, rowsWhere } from '../rows.ts';
import { CodeSlots } from './code-slots.ts';
import { ConnectedRows } from './connected-rows.ts';
import { Dendrogram } from './dendrogram.ts';
import { GroupBridges } from './group-bridges.ts';
import { GroupConnections } from './group-connections.ts';
import { MergeHistory } from './merge-history.ts';
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
  /** All rows of the graph, similar ones near each other; if known, grouping takes less time. */
  order?: Int32Array | undefined;
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
 * [Note: Component by component] Pairs that share no group can be merged in any order. So the pairs from a threshold on are split into connected
 * components, which are merged one after the other: the vectors of a component are then in the cache. In the order of similarities alone,
 * grouping 1,000,000 rows took twice as long.
 *
 * [Note: Places] The rows of a component can be anywhere in memory, and reading a few bytes here and there takes most of the time. Rows are
 * therefore grouped in an order in which similar rows are near each other: while this runs, each row has the number of its place in that order,
 * also in the graph. For 1,000,000 rows in random order this took two thirds of the time.
 *
 * One run gives all levels: level l has the groups that remain when no connected pair has an average of at least `linkageThresholds[l]`, so
 * every group of a coarser level is a union of groups of the finer ones. Except for ties, the result does not depend on the order of rows.
 * @throws the signal's reason when aborted.
 */
export async function agglomerate(options: AgglomerateOptions): Promise<MergeHistory> {
  const { graph, rows, order } = options;
  const placeOf = rowsWhere(graph.count, () => true);
  if (order) {
    for (let place = 0; place < order.length; place += 1) placeOf[order[place] as number] = place;
    renumberRows(graph, order, placeOf);
  }
  try {
    return await groupPlaces(
      options,
      rows.map((row) => placeOf[row] as number),
    );
  } finally {
    if (order) renumberRows(graph, placeOf, order);
  }
}

/** @param placeOfRows The number of each row in the graph. */
async function groupPlaces(options: AgglomerateOptions, placeOfRows: Int32Array): Promise<MergeHistory> {
  const { graph, vectors, rows, linkageThresholds, threads, onProgress, signal } = options;
  const places = placeOfRows.toSorted();
  const slots = new CodeSlots(vectors.dim, rows.length);
  const slotOf = new Int32Array(graph.count);
  for (let slot = 0; slot < places.length; slot += 1) slotOf[places[slot] as number] = slot;
  const grouped = { rows, places: placeOfRows, slots: placeOfRows.map((place) => slotOf[place] as number) };
  const groups = new Dendrogram(slots, places, graph.count);
  const waiting = new WaitingPairs(graph, groups, linkageThresholds.at(-1) ?? 1);
  const connectedRows = new ConnectedRows(graph, places, groups);
  const connections = new GroupConnections(graph, places, groups);
  const bridges = new GroupBridges(groups, vectors.dim, threads);
  const limits: number[] = [];
  let nPopped = 0;
  /** Merges queued pairs until none is left. */
  const mergeQueued = async (onTurn?: () => void) => {
    const { queue } = waiting;
    while (queue.pop()) {
      const [a, b] = [groups.groupOf(queue.a), groups.groupOf(queue.b)];
      nPopped += 1;
      if (nPopped % PAIRS_PER_TURN === 0) {
        signal?.throwIfAborted();
        onTurn?.();
        await nextTurn();
      }
      if (a === b) continue;
      if (a === queue.a && b === queue.b) groups.merge(a, b);
      else waiting.add(a, b);
    }
  };
  for (const threshold of linkageThresholds) {
    const others = waiting.lowerTo(threshold);
    const components = connectedRows.componentsFrom(threshold, others);
    // After the first pairs were found, which takes some memory.
    if (limits.length === 0) slots.encode(vectors, rows, grouped.slots);
    // Each level takes about half the time of the one before.
    const left = 0.5 ** limits.length;
    for (let component = 0; component < components.count; component += 1) {
      waiting.queue.queueEdges(rowsOfList(components.edges, component));
      for (const at of rowsOfList(components.others, component)) {
        waiting.queue.push(others.similarities[at] as number, others.as[at] as number, others.bs[at] as number);
      }
      await mergeQueued(() => onProgress?.(1 - left + (left / 2) * (component / components.count)));
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      signal?.throwIfAborted();
      const { highest, islands } = connections.queue(waiting);
      const bridged = await bridges.queue(islands, waiting);
      if (Math.max(highest, bridged) < threshold) break;
      await mergeQueued();
    }
    limits.push(groups.next);
  }
  onProgress?.(1);
  return new MergeHistory(groups.mergedInto, limits, grouped, slots);
}
