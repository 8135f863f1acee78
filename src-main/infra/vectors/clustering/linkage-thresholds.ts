import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { innerProduct, seededRandom } from '../rows.ts';

const PAIRS = 20_000;
const SEED = 1;
/** Share of a normal distribution below one deviation under its middle. */
const ONE_BELOW = 0.1587;
/** Deviations above the middle of the noise distribution at which groups stop growing. */
const LOOSEST_DEVIATIONS = 0.75;
const [LEAST_FINEST, MOST_FINEST] = [0.9, 0.98];
/** Least distance between the loosest threshold and the finest. */
const LEAST_SPAN = 0.05;
/** Thresholds among which levels are chosen by how many clusters they leave. */
const CANDIDATES = 16;

/**
 * Thresholds for an encoder whose levels nobody has stated, from how alike items of this dataset are. The loosest lies a little above the
 * middle of the noise distribution, the similarities of random pairs. Its width is taken from below the middle: above it are pairs that do
 * belong together. The finest, where it is not known, lies half-way from the median similarity of nearest neighbours to identity.
 * @param knownFinest Where the encoder's near-duplicates begin.
 * @returns Average similarities, finest first, strictly and evenly falling.
 */
export function linkageThresholdsOf(
  graph: NeighborGraph,
  vectors: Float32Array,
  dim: number,
  alive: Int32Array,
  knownFinest?: number,
): number[] {
  const noise = similaritiesOfPairs(vectors, dim, alive);
  const middle = quantile(noise, 0.5);
  const nearest = medianOfNearest(graph, alive);
  const finest = knownFinest ?? Math.min(MOST_FINEST, Math.max(LEAST_FINEST, nearest + (1 - nearest) / 2));
  const deviation = middle - quantile(noise, ONE_BELOW);
  const loosest = Math.min(finest - LEAST_SPAN, middle + LOOSEST_DEVIATIONS * deviation);
  return Array.from({ length: CANDIDATES }, (_, at) => finest - ((finest - loosest) * at) / (CANDIDATES - 1));
}

/** Cosines of random pairs of different rows, rising. */
function similaritiesOfPairs(vectors: Float32Array, dim: number, alive: Int32Array): Float32Array {
  const random = seededRandom(SEED);
  const rowOf = () => alive[Math.floor(random() * alive.length)] ?? 0;
  const similarities: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [a, b] = [rowOf(), rowOf()];
    if (a !== b) similarities.push(innerProduct(vectors, a * dim, vectors, b * dim, dim));
  }
  return Float32Array.from(similarities).sort();
}

function medianOfNearest(graph: NeighborGraph, alive: Int32Array): number {
  const withNeighbor = alive.filter((row) => graph.rows[row * graph.k] !== -1);
  return quantile(Float32Array.from(withNeighbor, (row) => graph.similarities[row * graph.k] ?? 0).sort(), 0.5);
}

function quantile(rising: Float32Array, share: number): number {
  return rising[Math.floor(rising.length * share)] ?? 0;
}
