import { searchByCells } from './cell-graph.ts';
import { type GraphSearch, searchExactly } from './exact-graph.ts';
import { emptyGraph, filterNeighbors, NEIGHBORS, type NeighborGraph, resizeGraph } from './neighbor-graph.ts';
import { rowsWhere } from './rows.ts';

/** Up to so many rows the neighbours are searched exactly: two seconds on two cores, where cells would take half of one. */
export const EXACT_ROWS = 20_000;

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

/** The nearest neighbours of all rows among each other; exact up to `exact_rows`, by cells above. */
export async function buildNeighborGraph(
  options: GraphOptions & { k?: number; exact_rows?: number },
): Promise<NeighborGraph> {
  const graph = emptyGraph(options.count, options.k ?? NEIGHBORS);
  const everyRow = rowsWhere(options.count, () => true);
  const search = toSearch(options, graph, everyRow);
  if (options.count <= (options.exact_rows ?? EXACT_ROWS)) await searchExactly(search);
  else await searchByCells(search);
  return graph;
}

/**
 * A graph of `count` rows out of one of fewer: only the new rows are searched, against all, and enter the lists of the old ones where they
 * are nearer. Costs new × all; the lists are what a search of everything would give, as far as the old ones were. Rows that dead
 * neighbours leave with less than half a list are searched again.
 */
export async function extendNeighborGraph(
  known: NeighborGraph,
  options: GraphOptions & { exact_rows?: number },
): Promise<NeighborGraph> {
  const { count, dead } = options;
  const exactRows = options.exact_rows ?? EXACT_ROWS;
  const nNew = Math.max(0, count - known.count);
  // So many new rows cost more against all than a search of everything by cells.
  if (nNew > exactRows) return buildNeighborGraph({ ...options, k: known.k, exact_rows: exactRows });

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
  if (queries.length > 0) await searchExactly(toSearch(options, graph, queries), { both_ways: true, known: nKnown });
  return graph;
}

function toSearch(options: GraphOptions, graph: NeighborGraph, queries: Int32Array): GraphSearch {
  const { vectors, dim, count, dead, threads, onProgress, signal } = options;
  const candidates = rowsWhere(count, (row) => !dead?.has(row));
  return { graph, vectors, dim, queries, candidates, threads, onProgress, signal };
}
