import type { NeighborBlock } from '../../core/ports/vector-engine.ts';

/** Number of neighbours that each row is connected to. */
const SURROUNDING = 15;

/** The edges of an undirected graph, each stored at one of its ends. */
export interface FuzzyEdges {
  count: number;
  /** Maximum number of edges stored per row. */
  k: number;
  /** count × k: the row at the other end; -1 for none. */
  ends: Int32Array;
  /** count × k: strength of the connection, 0 … 1. */
  weights: Float32Array;
}

/** Number of steps of the search for a width. */
const WIDTH_STEPS = 48;
/** Minimum width as a share of the mean distance, so that equal rows do not make all others infinitely distant. */
const LEAST_WIDTH = 1e-3;

/**
 * Converts nearest neighbours to a fuzzy graph. The weight of a row's edge to its nearest neighbour is 1. The weights of its other edges
 * fall with distance, with a width per row chosen such that the weights add up to log2(k). The edges of both ends are united.
 * Source: L. McInnes, J. Healy, J. Melville, "UMAP: Uniform Manifold Approximation and Projection" (2018), section 3.1.
 */
export async function fuzzyEdges(
  blocks: AsyncIterable<NeighborBlock>,
  count: number,
  isAlive: (row: number) => boolean,
): Promise<FuzzyEdges> {
  const k = SURROUNDING;
  const edges = { count, k, ends: new Int32Array(count * k).fill(-1), weights: new Float32Array(count * k) };
  for await (const block of blocks) {
    const nRows = Math.min(count - block.first, block.rows.length / block.k);
    for (let nth = 0; nth < nRows; nth += 1) {
      const row = block.first + nth;
      if (!isAlive(row)) continue;
      const start = row * k;
      let n = 0;
      for (let at = nth * block.k; at < (nth + 1) * block.k && n < k; at += 1) {
        const neighbor = block.rows[at] as number;
        if (neighbor < 0 || neighbor >= count || neighbor === row || !isAlive(neighbor)) continue;
        edges.ends[start + n] = neighbor;
        edges.weights[start + n] = Math.max(0, 1 - (block.similarities[at] as number));
        n += 1;
      }
      weigh(edges.weights.subarray(start, start + n));
    }
  }
  unite(edges);
  return edges;
}

/** Converts the distances of a row's neighbours, nearest first, to weights. */
function weigh(distances: Float32Array): void {
  const n = distances.length;
  if (n === 0) return;
  const target = Math.log2(n + 1);
  const nearest = distances.find((distance) => distance > 0) ?? 0;
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / n;
  let [low, high, width] = [0, Number.POSITIVE_INFINITY, Math.max(mean, Number.MIN_VALUE)];
  for (let step = 0; step < WIDTH_STEPS; step += 1) {
    let sum = 0;
    for (const distance of distances) sum += Math.exp(-Math.max(0, distance - nearest) / width);
    if (Math.abs(sum - target) < 1e-4) break;
    if (sum > target) high = width;
    else low = width;
    width = high === Number.POSITIVE_INFINITY ? width * 2 : (low + high) / 2;
  }
  width = Math.max(width, mean * LEAST_WIDTH, Number.MIN_VALUE);
  for (let at = 0; at < n; at += 1) {
    distances[at] = Math.exp(-Math.max(0, (distances[at] as number) - nearest) / width);
  }
}

/** Merges two edges between the same rows to one with the weight of their union. */
function unite({ count, k, ends, weights }: FuzzyEdges): void {
  for (let row = 0; row < count; row += 1) {
    for (let at = row * k; at < (row + 1) * k; at += 1) {
      const end = ends[at] as number;
      if (end < 0) continue;
      for (let back = end * k; back < (end + 1) * k; back += 1) {
        if (ends[back] !== row) continue;
        const [here, there] = [weights[at] as number, weights[back] as number];
        weights[at] = here + there - here * there;
        ends[back] = -1;
        weights[back] = 0;
        break;
      }
    }
  }
}
