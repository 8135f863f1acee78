import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { innerProduct, seededRandom } from '../rows.ts';

const PAIRS = 20_000;
const SEED = 1;
/** Share of a normal distribution below one deviation under its middle. */
const ONE_BELOW = 0.1587;
/** Distance of the loosest threshold from the median of the noise distribution, in standard deviations. */
const LOOSEST_DEVIATIONS = 0.75;
const [LEAST_FINEST, MAX_FINEST] = [0.9, 0.98];
/** Minimum difference between the loosest and the finest threshold. */
const LEAST_SPAN = 0.05;
/** Number of candidate thresholds; levels are chosen from them by their numbers of clusters. */
const CANDIDATES = 16;

/**
 * Chooses linkage thresholds for an encoder without known ones, from the similarities in the dataset. The loosest is a little above the median
 * of the noise distribution, which are the similarities of random pairs. Its deviation is measured below the median, because pairs above it
 * may belong together. The finest, if unknown, is half-way between the median similarity of nearest neighbours and 1.
 * @param knownFinest Similarity from which the encoder's near-duplicates start.
 * @returns Average similarities, finest first, strictly and evenly falling.
 */
export function linkageThresholdsOf(
  graph: NeighborGraph,
  vectors: RowVectors,
  alive: Int32Array,
  knownFinest?: number,
): number[] {
  const noise = similaritiesOfPairs(vectors, alive);
  const middle = quantile(noise, 0.5);
  const nearest = medianOfNearest(graph, alive);
  const finest = knownFinest ?? Math.min(MAX_FINEST, Math.max(LEAST_FINEST, nearest + (1 - nearest) / 2));
  const deviation = middle - quantile(noise, ONE_BELOW);
  const loosest = Math.min(finest - LEAST_SPAN, middle + LOOSEST_DEVIATIONS * deviation);
  return Array.from({ length: CANDIDATES }, (_, at) => finest - ((finest - loosest) * at) / (CANDIDATES - 1));
}

/** Cosines of random pairs of different rows, rising. */
function similaritiesOfPairs(vectors: RowVectors, alive: Int32Array): Float32Array {
  const random = seededRandom(SEED);
  const rowOf = () => alive[Math.floor(random() * alive.length)] ?? 0;
  const [one, other] = [new Float32Array(vectors.dim), new Float32Array(vectors.dim)];
  const similarities: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [a, b] = [rowOf(), rowOf()];
    if (a === b) continue;
    vectors.copy(a, one);
    vectors.copy(b, other);
    similarities.push(innerProduct(one, 0, other, 0, vectors.dim));
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
