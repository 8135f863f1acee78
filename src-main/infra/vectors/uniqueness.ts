import type { NeighborGraph } from './neighbor-graph.ts';

/** Weights of the nearest, second and third neighbour. */
const WEIGHTS = [0.6, 0.3, 0.1];

/**
 * How unlike everything else a row is: the weighted cosine distance to its three nearest neighbours, clipped to 0 … 1. 0 has a twin.
 * The weighting follows the uniqueness method of FiftyOne Brain (https://docs.voxel51.com/brain.html#image-uniqueness); distances are
 * not divided by the largest one, so that a score does not change because an unrelated row was added.
 */
export function uniquenessScores(graph: NeighborGraph): Float32Array {
  const scores = new Float32Array(graph.count);
  for (let row = 0; row < graph.count; row += 1) {
    let score = 0;
    for (const [nth, weight] of WEIGHTS.entries()) {
      const at = row * graph.k + nth;
      const distance = (graph.rows[at] ?? -1) < 0 ? 1 : 1 - (graph.similarities[at] ?? 0);
      score += weight * Math.min(1, Math.max(0, distance));
    }
    scores[row] = score;
  }
  return scores;
}
