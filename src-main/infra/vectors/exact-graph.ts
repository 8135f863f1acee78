import { ExactIndex } from './exact-index.ts';
import { type NeighborGraph, offerNeighbor } from './neighbor-graph.ts';
import { gatherRows } from './rows.ts';

export interface GraphSearch {
  /** The lists of `queries` are filled with neighbours out of `candidates`. */
  graph: NeighborGraph;
  vectors: Float32Array;
  dim: number;
  /** Row numbers, ascending. */
  queries: Int32Array;
  candidates: Int32Array;
  threads: number;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Exact nearest neighbours, by blocks of queries against all candidates. */
export async function searchExactly(search: GraphSearch): Promise<void> {
  const { graph, vectors, dim, queries, candidates, threads, onProgress, signal } = search;
  const compact = gatherRows(vectors, dim, candidates);
  const index = await ExactIndex.open({ vectors: compact, dim, count: candidates.length, threads });
  const wanted = Math.min(graph.k + 1, candidates.length);
  const block = ExactIndex.blockRows(candidates.length);
  for (let first = 0; first < queries.length; first += block) {
    signal?.throwIfAborted();
    const asked = queries.subarray(first, first + block);
    const found = await index.searchMany(rowsOf(vectors, dim, asked), wanted);
    for (let at = 0; at < asked.length * wanted; at += 1) {
      const neighbor = candidates[found.rows[at] as number] as number;
      const query = asked[Math.floor(at / wanted)] as number;
      if (neighbor !== query) offerNeighbor(graph, query, neighbor, found.similarities[at] as number);
    }
    onProgress?.((first + asked.length) / queries.length);
  }
  await index.close();
}

/** Like {@link gatherRows}, without a copy where the rows follow each other. */
export function rowsOf(vectors: Float32Array, dim: number, rows: Int32Array): Float32Array {
  const first = rows[0] ?? 0;
  const last = rows.at(-1) ?? -1;
  if (last - first + 1 === rows.length) return vectors.subarray(first * dim, (last + 1) * dim);
  return gatherRows(vectors, dim, rows);
}
