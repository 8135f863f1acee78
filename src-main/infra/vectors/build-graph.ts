import type { BuiltLists } from './build-lists.ts';
import { searchExactly } from './exact-graph.ts';
import type { GraphSearch } from './graph-search.ts';
import { type InvertedLists, nListsOf, probesFor, recallFor } from './inverted-lists.ts';
import { searchByLists } from './list-graph.ts';
import { emptyGraph, filterNeighbors, NEIGHBORS, type NeighborGraph, resizeGraph } from './neighbor-graph.ts';
import { rowsWhere } from './rows.ts';
import { recallOf } from './sampled-truth.ts';

/** Past this share of all products, searching everything exactly is the better deal. */
const HIGHEST_SHARE = 0.4;

export interface GraphOptions {
  vectors: Float32Array;
  dim: number;
  count: number;
  /** Rows that are no neighbour of any row; they keep lists of their own, so that they can come back. */
  dead?: ReadonlySet<number>;
  threads: number;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The nearest neighbours of all rows among each other; exact without lists to search in. */
export async function buildNeighborGraph(
  options: GraphOptions & { k?: number; built?: BuiltLists | undefined },
): Promise<NeighborGraph> {
  const { count, built } = options;
  const graph = emptyGraph(count, options.k ?? NEIGHBORS);
  const everyRow = rowsWhere(count, () => true);
  const search = toSearch(options, graph, everyRow);
  if (!built) {
    await searchExactly(search);
    return graph;
  }
  const { lists, truth } = built;
  const nProbes = probesFor(lists, graph.k);
  if (isCostly(lists, nProbes)) await searchExactly(search);
  else {
    await searchByLists(search, { lists, nProbes });
    graph.recall = recallOf(graph, truth);
  }
  return graph;
}

/**
 * A graph of `count` rows out of one of fewer: only the new rows are searched, and enter the lists of the old ones where they are nearer.
 * Without inverted lists that costs new × all, and the lists are what a search of everything would give, as far as the old ones were. Rows
 * that dead neighbours leave with less than half a list are searched again.
 */
export async function extendNeighborGraph(
  known: NeighborGraph,
  options: GraphOptions & { lists?: InvertedLists | undefined },
): Promise<NeighborGraph> {
  const { count, dead, lists } = options;
  const graph = resizeGraph(known, count);
  const full = Math.min(graph.k, count - (dead?.size ?? 0) - 1);
  const wanting = new Set<number>();
  for (let row = 0; row < known.count && row < count; row += 1) {
    if (dead?.has(row)) continue;
    const left = dead && dead.size > 0 ? filterNeighbors(graph, row, (neighbor) => !dead.has(neighbor)) : graph.k;
    if (left < full / 2) wanting.add(row);
  }
  const nKnown = rowsWhere(Math.min(count, known.count), (row) => !dead?.has(row)).length;
  const queries = rowsWhere(count, (row) => row >= known.count || wanting.has(row));
  if (queries.length === 0) return graph;
  const search = toSearch(options, graph, queries);
  const bothWays = { known: nKnown };
  const nProbes = lists ? probesFor(lists, graph.k) : 0;
  if (!lists || isCostly(lists, nProbes)) await searchExactly(search, bothWays);
  else {
    await searchByLists(search, { lists, nProbes, bothWays });
    graph.recall = Math.min(graph.recall, recallFor(lists, graph.k));
  }
  return graph;
}

/** Whether an exact search is the better deal. */
function isCostly(lists: InvertedLists, nProbes: number): boolean {
  return nProbes > nListsOf(lists) * HIGHEST_SHARE;
}

function toSearch(options: GraphOptions, graph: NeighborGraph, queries: Int32Array): GraphSearch {
  const { vectors, dim, count, dead, threads, onProgress, signal } = options;
  const candidates = rowsWhere(count, (row) => !dead?.has(row));
  return { graph, vectors, dim, queries, candidates, threads, onProgress, signal };
}
