import type { NeighborBlock } from '../../../core/ports/vector-engine.ts';

/** The k nearest neighbours of every row, best first (equal ones by row); row -1 for missing neighbours. */
export interface NeighborGraph {
  count: number;
  k: number;
  /** count × k */
  rows: Int32Array;
  /** count × k, cosine similarities */
  similarities: Float32Array;
  /** Share of the true neighbours that the lists contain, estimated on a sample at the time of the search; 1 is exact. */
  recall: number;
}

export const NEIGHBORS = 24;

export function emptyGraph(count: number, k = NEIGHBORS): NeighborGraph {
  return { count, k, rows: new Int32Array(count * k).fill(-1), similarities: new Float32Array(count * k), recall: 1 };
}

/** Resizes a graph to `count` rows; neighbours past the end are dropped. */
export function resizeGraph(graph: NeighborGraph, count: number): NeighborGraph {
  if (graph.count === count) return graph;
  const { k, recall } = graph;
  const resized = { ...emptyGraph(count, k), recall };
  const shared = Math.min(count, graph.count) * k;
  resized.rows.set(graph.rows.subarray(0, shared));
  resized.similarities.set(graph.similarities.subarray(0, shared));
  if (count < graph.count) {
    for (let row = 0; row < count; row += 1) filterNeighbors(resized, row, (neighbor) => neighbor < count);
  }
  return resized;
}

/**
 * Gives rows other numbers, in place.
 * @param order The present number of each row, by its new one. @param numberOf The new number, by the present one.
 */
export function renumberRows(
  { count, k, rows, similarities }: NeighborGraph,
  order: Int32Array,
  numberOf: Int32Array,
): void {
  for (let at = 0; at < rows.length; at += 1)
    if ((rows[at] as number) >= 0) rows[at] = numberOf[rows[at] as number] as number;
  const [heldRows, heldSimilarities] = [new Int32Array(k), new Float32Array(k)];
  const isMoved = new Uint8Array(count);
  for (let first = 0; first < count; first += 1) {
    if (isMoved[first] === 1) continue;
    // Each list moves to a place that is free by then.
    heldRows.set(rows.subarray(first * k, (first + 1) * k));
    heldSimilarities.set(similarities.subarray(first * k, (first + 1) * k));
    let place = first;
    for (let from = order[place] as number; from !== first; from = order[place] as number) {
      rows.copyWithin(place * k, from * k, (from + 1) * k);
      similarities.copyWithin(place * k, from * k, (from + 1) * k);
      isMoved[place] = 1;
      place = from;
    }
    rows.set(heldRows, place * k);
    similarities.set(heldSimilarities, place * k);
    isMoved[place] = 1;
  }
}

/** Returns the graph with shorter lists. */
export function narrowGraph(graph: NeighborGraph, k: number): NeighborGraph {
  const narrow = { ...emptyGraph(graph.count, k), recall: graph.recall };
  for (let row = 0; row < graph.count; row += 1) {
    const from = row * graph.k;
    narrow.rows.set(graph.rows.subarray(from, from + k), row * k);
    narrow.similarities.set(graph.similarities.subarray(from, from + k), row * k);
  }
  return narrow;
}

/** Inserts a neighbour at its position in a row's list, unless it is already there or worse than the last entry of a full list. */
export function offerNeighbor(graph: NeighborGraph, row: number, neighbor: number, similarity: number): void {
  const { k, rows, similarities } = graph;
  const start = row * k;
  let at = start + k - 1;
  if (!isBetter(graph, at, similarity, neighbor)) return;
  for (let place = start; place <= at; place += 1) if (rows[place] === neighbor) return;
  for (; at > start && isBetter(graph, at - 1, similarity, neighbor); at -= 1) {
    rows[at] = rows[at - 1] as number;
    similarities[at] = similarities[at - 1] as number;
  }
  rows[at] = neighbor;
  similarities[at] = similarity;
}

/** Removes neighbours from a row's list; the others move up. @returns Number of remaining neighbours. */
export function filterNeighbors(graph: NeighborGraph, row: number, keep: (neighbor: number) => boolean): number {
  const { k, rows, similarities } = graph;
  const end = (row + 1) * k;
  let kept = row * k;
  for (let at = kept; at < end; at += 1) {
    const neighbor = rows[at] as number;
    if (neighbor < 0 || !keep(neighbor)) continue;
    rows[kept] = neighbor;
    similarities[kept] = similarities[at] as number;
    kept += 1;
  }
  rows.fill(-1, kept, end);
  similarities.fill(0, kept, end);
  return kept - row * k;
}

/** Whether a neighbour sorts before the one at an index of the lists; equal similarities are ordered by row. */
function isBetter(graph: NeighborGraph, at: number, similarity: number, neighbor: number): boolean {
  const other = graph.rows[at] as number;
  const present = graph.similarities[at] as number;
  return other < 0 || similarity > present || (similarity === present && neighbor < other);
}

/**
 * Builds a graph of `count` rows from blocks of neighbours. A single block with all rows becomes the graph without a copy.
 * @param recall Share of the true neighbours that the blocks contain.
 */
export async function collectGraph(
  blocks: AsyncIterable<NeighborBlock>,
  count: number,
  recall = 1,
): Promise<NeighborGraph> {
  let graph: NeighborGraph | undefined;
  for await (const { first, k, rows, similarities } of blocks) {
    if (first === 0 && rows.length === count * k) return { count, k, rows, similarities, recall };
    graph ??= { ...emptyGraph(count, k), recall };
    const end = Math.min(rows.length, (count - first) * k);
    graph.rows.set(rows.subarray(0, end), first * k);
    graph.similarities.set(similarities.subarray(0, end), first * k);
  }
  return graph ?? emptyGraph(count);
}
