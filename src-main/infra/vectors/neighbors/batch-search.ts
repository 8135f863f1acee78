import type { JobOptions, NeighborBlock } from '../../../core/ports/vector-engine.ts';
import { searchExactly } from './exact-graph.ts';
import type { GraphSearch } from './graph-search.ts';
import { emptyGraph } from './neighbor-graph.ts';

const MOST_QUERIES = 16_384;
const FEWEST_QUERIES = 1024;

/** Returns how many queries are searched together among `count` vectors, for which their array needs space after them. */
export function queryRoom(count: number): number {
  return Math.max(FEWEST_QUERIES, Math.min(MOST_QUERIES, count));
}

/**
 * Finds the nearest rows for many queries at once, with the matrix products that build neighbour graphs. The queries are copied to the
 * space after the vectors, so that one array contains both.
 * @param searched `vectors` has `count` rows and space for {@link queryRoom} more. `search` fills the graph of a search (default exactly).
 * @param candidates Allowed rows, ascending.
 * @returns `k` neighbours for each query, in their order.
 */
export async function searchBatch(
  searched: { vectors: Float32Array; dim: number; count: number; search?: (search: GraphSearch) => Promise<void> },
  queries: Float32Array,
  candidates: Int32Array,
  { k, threads, signal }: JobOptions & { k: number },
): Promise<NeighborBlock> {
  const { vectors, dim, count, search = searchExactly } = searched;
  const total = queries.length / dim;
  const found = emptyGraph(total, k);
  const room = queryRoom(count);
  for (let first = 0; first < total && candidates.length > 0; first += room) {
    const n = Math.min(room, total - first);
    vectors.set(queries.subarray(first * dim, (first + n) * dim), count * dim);
    const graph = emptyGraph(count + n, k);
    const asking = Int32Array.from({ length: n }, (_, nth) => count + nth);
    await search({ graph, vectors, dim, queries: asking, candidates, threads, signal });
    found.rows.set(graph.rows.subarray(count * k), first * k);
    found.similarities.set(graph.similarities.subarray(count * k), first * k);
  }
  return { first: 0, k, rows: found.rows, similarities: found.similarities };
}
