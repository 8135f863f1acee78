import type { NeighborGraph } from './neighbor-graph.ts';
import { seededRandom } from './rows.ts';

const PAIRS = 20_000;
const SEED = 1;
/** Deviations above the similarity of any two items at which the loosest groups stop. */
const LOOSEST_DEVIATIONS = 2;
const [LEAST_FINEST, MOST_FINEST] = [0.9, 0.98];
/** Least distance between two thresholds. */
const LEAST_STEP = 0.01;

/**
 * Thresholds for an encoder that nobody has calibrated, from how alike items of this dataset are. The loosest lies where two items are
 * more alike than chance makes them (mean + 2 deviations over random pairs), the second at the median similarity of nearest neighbours,
 * the finest half-way from there to identity; the others are spread evenly between.
 * @returns Five average similarities, finest first, strictly falling.
 */
export function cutsOfVectors(graph: NeighborGraph, vectors: Float32Array, dim: number, alive: Int32Array): number[] {
  const { mean, deviation } = randomPairs(vectors, dim, alive);
  const nearest = medianOfNearest(graph, alive);
  const loosest = Math.min(mean + LOOSEST_DEVIATIONS * deviation, nearest - 3 * LEAST_STEP);
  const finest = Math.min(MOST_FINEST, Math.max(LEAST_FINEST, nearest + (1 - nearest) / 2));
  const second = Math.min(nearest, finest - LEAST_STEP);
  const step = Math.max(LEAST_STEP, (second - loosest) / 3);
  return [finest, second, second - step, second - 2 * step, second - 3 * step];
}

function randomPairs(vectors: Float32Array, dim: number, alive: Int32Array): { mean: number; deviation: number } {
  if (alive.length < 2) return { mean: 0, deviation: 0 };
  const random = seededRandom(SEED);
  let [sum, squares] = [0, 0];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const a = alive[Math.floor(random() * alive.length)] ?? 0;
    const b = alive[Math.floor(random() * alive.length)] ?? 0;
    let similarity = 0;
    for (let at = 0; at < dim; at += 1) similarity += (vectors[a * dim + at] ?? 0) * (vectors[b * dim + at] ?? 0);
    sum += similarity;
    squares += similarity * similarity;
  }
  const mean = sum / PAIRS;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / PAIRS - mean * mean)) };
}

function medianOfNearest(graph: NeighborGraph, alive: Int32Array): number {
  const withNeighbor = alive.filter((row) => graph.rows[row * graph.k] !== -1);
  const nearest = Float32Array.from(withNeighbor, (row) => graph.similarities[row * graph.k] ?? 0).sort();
  return nearest[Math.floor(nearest.length / 2)] ?? 0;
}
