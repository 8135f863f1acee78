import type { VectorCollection } from '../../core/ports/vector-engine.ts';
import { highestFirst } from '../vectors/highest-first.ts';
import { sampleRows, seededRandom } from '../vectors/rows.ts';
import type { FuzzyEdges } from './fuzzy-edges.ts';

/** Number of sampled rows for the principal directions. */
const SAMPLE_ROWS = 2048;
const POWER_STEPS = 24;
const DIFFUSION_STEPS = 24;
/** Number of rows whose vectors are read at once. */
const BLOCK_ROWS = 4096;
const SEED = 20_181_208;
/** Half the length of an interval on which evenly spaced numbers have standard deviation 1. */
const EVEN_DEVIATION = Math.sqrt(3);

/**
 * Initial positions of a layout: the projection of the vectors on their two principal directions, from where every row moves towards its
 * neighbours. That is a power iteration for the eigenvectors of the graph's random walk, which show its coarse structure.
 * Sources: D. Kobak, G. Linderman, "Initialization is critical for preserving global data structure in both t-SNE and UMAP" (2021); M. Belkin,
 * P. Niyogi, "Laplacian Eigenmaps for Dimensionality Reduction and Data Representation" (2003).
 * @param rows Living rows, ascending.
 * @returns x and y of each row, with standard deviation 1 each; 0 for other rows.
 */
export async function startPlaces(
  collection: VectorCollection,
  edges: FuzzyEdges,
  rows: Int32Array,
): Promise<Float32Array> {
  const places = await principalPlaces(collection, edges.count, rows);
  const sums = new Float32Array(places.length);
  const degrees = degreesOf(edges);
  for (let step = 0; step < DIFFUSION_STEPS; step += 1) {
    diffuse(places, sums, edges, degrees);
    straighten(places, rows);
  }
  spreadEvenly(places, rows);
  return places;
}

/**
 * Spaces the rows evenly on both axes, in their order. Otherwise a few rows without an edge to the others are far away, and all others are at
 * nearly one position.
 */
function spreadEvenly(places: Float32Array, rows: Int32Array): void {
  for (let axis = 0; axis < 2; axis += 1) {
    const order = highestFirst(Float32Array.from(rows, (row) => places[row * 2 + axis] as number));
    for (let rank = 0; rank < order.length; rank += 1) {
      const row = rows[order[rank] as number] as number;
      places[row * 2 + axis] = EVEN_DEVIATION * (1 - (2 * rank) / Math.max(1, order.length - 1));
    }
  }
}

/** x and y of each row on the two principal directions, found by power iteration on a sample. */
export async function principalPlaces(
  collection: VectorCollection,
  count: number,
  rows: Int32Array,
): Promise<Float32Array> {
  const { dim } = collection;
  const sample = sampleRows(rows, SAMPLE_ROWS, SEED);
  const vectors = await collection.fetch(sample);
  const mean = new Float64Array(dim);
  for (let at = 0; at < vectors.length; at += 1) mean[at % dim] = (mean[at % dim] as number) + (vectors[at] as number);
  for (let axis = 0; axis < dim; axis += 1) mean[axis] = (mean[axis] as number) / Math.max(1, sample.length);
  const first = principalDirection(vectors, mean, dim, undefined);
  const second = principalDirection(vectors, mean, dim, first);

  const places = new Float32Array(count * 2);
  const block = new Float32Array(Math.min(BLOCK_ROWS, count) * dim);
  for (let from = 0; from < count; from += BLOCK_ROWS) {
    const n = Math.min(BLOCK_ROWS, count - from);
    await collection.fetchRange(from, n, block.subarray(0, n * dim));
    for (let nth = 0; nth < n; nth += 1) {
      let [x, y] = [0, 0];
      for (let axis = 0; axis < dim; axis += 1) {
        const value = (block[nth * dim + axis] as number) - (mean[axis] as number);
        x += value * (first[axis] as number);
        y += value * (second[axis] as number);
      }
      places[(from + nth) * 2] = x;
      places[(from + nth) * 2 + 1] = y;
    }
  }
  return places;
}

/** The unit vector of largest variance, orthogonal to another. */
function principalDirection(
  vectors: Float32Array,
  mean: Float64Array,
  dim: number,
  other: Float64Array | undefined,
): Float64Array {
  const random = seededRandom(SEED);
  let direction = Float64Array.from({ length: dim }, () => random() - 0.5);
  for (let step = 0; step < POWER_STEPS; step += 1) {
    const next = new Float64Array(dim);
    for (let start = 0; start < vectors.length; start += dim) {
      let along = 0;
      for (let axis = 0; axis < dim; axis += 1) {
        along += ((vectors[start + axis] as number) - (mean[axis] as number)) * (direction[axis] as number);
      }
      for (let axis = 0; axis < dim; axis += 1) {
        next[axis] = (next[axis] as number) + along * ((vectors[start + axis] as number) - (mean[axis] as number));
      }
    }
    if (other) {
      const shared = next.reduce((sum, value, axis) => sum + value * (other[axis] as number), 0);
      for (let axis = 0; axis < dim; axis += 1) next[axis] = (next[axis] as number) - shared * (other[axis] as number);
    }
    const norm = Math.hypot(...next);
    if (norm === 0) return direction;
    direction = next.map((value) => value / norm);
  }
  return direction;
}

function degreesOf({ count, k, ends, weights }: FuzzyEdges): Float32Array {
  const degrees = new Float32Array(count);
  for (let at = 0; at < ends.length; at += 1) {
    const end = ends[at] as number;
    if (end < 0) continue;
    const row = Math.floor(at / k);
    degrees[row] = (degrees[row] as number) + (weights[at] as number);
    degrees[end] = (degrees[end] as number) + (weights[at] as number);
  }
  return degrees;
}

/** Moves every row halfway to the mean of its neighbours. */
function diffuse(places: Float32Array, sums: Float32Array, edges: FuzzyEdges, degrees: Float32Array): void {
  const { count, k, ends, weights } = edges;
  sums.fill(0);
  for (let row = 0; row < count; row += 1) {
    for (let at = row * k; at < (row + 1) * k; at += 1) {
      const end = ends[at] as number;
      if (end < 0) continue;
      const weight = weights[at] as number;
      for (let axis = 0; axis < 2; axis += 1) {
        sums[row * 2 + axis] = (sums[row * 2 + axis] as number) + weight * (places[end * 2 + axis] as number);
        sums[end * 2 + axis] = (sums[end * 2 + axis] as number) + weight * (places[row * 2 + axis] as number);
      }
    }
  }
  for (let at = 0; at < places.length; at += 1) {
    const degree = degrees[at >> 1] as number;
    if (degree > 0) places[at] = 0.5 * (places[at] as number) + (0.5 * (sums[at] as number)) / degree;
  }
}

/** Centres the rows at 0 and scales them to standard deviation 1 on both axes, without correlation. */
export function straighten(places: Float32Array, rows: Int32Array): void {
  const n = Math.max(1, rows.length);
  const change = (work: (at: number) => void) => {
    for (let nth = 0; nth < rows.length; nth += 1) work((rows[nth] as number) * 2);
  };
  let [meanX, meanY] = [0, 0];
  change((at) => {
    meanX += (places[at] as number) / n;
    meanY += (places[at + 1] as number) / n;
  });
  let [xx, xy] = [0, 0];
  change((at) => {
    const [x, y] = [(places[at] as number) - meanX, (places[at + 1] as number) - meanY];
    xx += x * x;
    xy += x * y;
  });
  const [slope, deviationX] = xx > 0 ? [xy / xx, Math.sqrt(xx / n)] : [0, 1];
  let yy = 0;
  change((at) => {
    const x = (places[at] as number) - meanX;
    const y = (places[at + 1] as number) - meanY - slope * x;
    places[at] = x / deviationX;
    places[at + 1] = y;
    yy += y * y;
  });
  const deviationY = yy > 0 ? Math.sqrt(yy / n) : 1;
  change((at) => {
    places[at + 1] = (places[at + 1] as number) / deviationY;
  });
}
