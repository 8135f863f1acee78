import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import type { InnerProducts } from '../neighbors/inner-products.ts';
import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { RowGatherer } from '../row-vectors.ts';
import { sampleRows } from '../rows.ts';
import { TopRows } from '../top-rows.ts';

const SAMPLE = 256;
const SEED = 19_990_401;
const BLOCK_ROWS = 16_384;

/** The true neighbours of a sample of rows, for planning and measuring approximate searches. */
export interface SampledTruth {
  queries: Int32Array;
  /** Neighbours of each query, best first, without the query itself. */
  neighbors: { row: number; similarity: number }[][];
}

/** Compares a random sample of rows with all candidates. Deterministic. */
export async function sampleTruth(options: {
  vectors: RowVectors;
  /** Rows to sample. */
  rows: Int32Array;
  candidates: Int32Array;
  k: number;
  products: InnerProducts;
  signal?: AbortSignal | undefined;
}): Promise<SampledTruth> {
  const { vectors, candidates, k, products, signal } = options;
  const queries = sampleRows(options.rows, SAMPLE, SEED);
  const asking = vectors.gather(queries);
  const gatherer = new RowGatherer(vectors);
  // A query is its own nearest row.
  const best = Array.from(queries, () => new TopRows(k + 1));
  for (let first = 0; first < candidates.length; first += BLOCK_ROWS) {
    signal?.throwIfAborted();
    const block = candidates.subarray(first, first + BLOCK_ROWS);
    await products.of(asking, gatherer.gather(block));
    for (const [nth, top] of best.entries()) {
      for (const at of products.from(nth, top.leastScore)) top.offer(block[at] as number, products.at(nth, at));
    }
  }
  const othersOf = (top: TopRows, query: number) => top.best().filter(({ row }) => row !== query);
  return { queries, neighbors: best.map((top, nth) => othersOf(top, queries[nth] as number).slice(0, k)) };
}

/** Returns the share of the `k` true neighbours of a sample that are among the first `k` of a graph's lists. */
export function recallOf(graph: NeighborGraph, truth: SampledTruth, k = graph.k): number {
  let [found, total] = [0, 0];
  for (const [nth, neighbors] of truth.neighbors.entries()) {
    const from = (truth.queries[nth] as number) * graph.k;
    const known = new Set(graph.rows.subarray(from, from + k));
    const lowest = graph.similarities[from + k - 1] as number;
    for (const { row: neighbor, similarity } of neighbors.slice(0, k)) {
      total += 1;
      // Equally near neighbours are interchangeable.
      if (known.has(neighbor) || similarity <= lowest + 1e-6) found += 1;
    }
  }
  return total === 0 ? 1 : found / total;
}
