import type { JobOptions, NeighborBlock, RowVectors } from '../../../core/ports/vector-engine.ts';
import { WithQueries } from '../row-vectors.ts';
import { searchExactly } from './exact-graph.ts';
import type { GraphSearch } from './graph-search.ts';
import { emptyGraph } from './neighbor-graph.ts';

/** Maximum numbers of queries that are searched together, of vectors in memory and of vectors in files, which each search reads once. */
const [MOST_QUERIES, MOST_OF_STORED] = [16_384, 65_536];

/** Maximum number of queries that are searched together. */
export function mostQueries({ areHeld }: RowVectors): number {
  return areHeld ? MOST_QUERIES : MOST_OF_STORED;
}

/**
 * Finds the nearest rows for many queries at once, with the matrix products that build neighbour graphs.
 * @param searched `search` fills the graph of a search (default exactly).
 * @param candidates Allowed rows, ascending.
 * @returns `k` neighbours for each query, in their order.
 */
export async function searchBatch(
  searched: { vectors: RowVectors; search?: (search: GraphSearch) => Promise<void> },
  queries: Float32Array,
  candidates: Int32Array,
  { k, threads, signal }: JobOptions & { k: number },
): Promise<NeighborBlock> {
  const { vectors, search = searchExactly } = searched;
  const { dim, count } = vectors;
  const total = queries.length / dim;
  const found = emptyGraph(total, k);
  const most = mostQueries(vectors);
  for (let first = 0; first < total && candidates.length > 0; first += most) {
    const n = Math.min(most, total - first);
    const all = new WithQueries(vectors, queries.subarray(first * dim, (first + n) * dim));
    const graph = emptyGraph(count + n, k);
    const asking = Int32Array.from({ length: n }, (_, nth) => count + nth);
    await search({ graph, vectors: all, queries: asking, candidates, threads, signal });
    found.rows.set(graph.rows.subarray(count * k), first * k);
    found.similarities.set(graph.similarities.subarray(count * k), first * k);
  }
  return { first: 0, k, rows: found.rows, similarities: found.similarities };
}
