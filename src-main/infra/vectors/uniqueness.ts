import type { NeighborGraph } from './neighbors/neighbor-graph.ts';

/** Weights of the nearest, second and third neighbours. */
const WEIGHTS = [0.6, 0.3, 0.1];

/** Maximum distance of equal float32 vectors, which is caused by rounding. */
const EQUAL = 1e-6;

/**
 * Computes how different each row is from all others: the weighted cosine distance to its three nearest neighbours, clipped to 0 … 1. A row
 * with an exact duplicate has 0.
 * The weighting follows the uniqueness method of FiftyOne Brain (https://docs.voxel51.com/brain.html#image-uniqueness); distances are not
 * divided by the largest one, so that a score does not change because an unrelated row was added.
 * @param dead Rows that are not neighbours and have score 0 themselves.
 */
export function uniquenessScores(graph: NeighborGraph, dead: ReadonlySet<number>): Float32Array {
  const scores = new Float32Array(graph.count);
  for (let row = 0; row < graph.count; row += 1) {
    if (dead.has(row)) continue;
    let score = 0;
    let nth = 0;
    for (let at = row * graph.k; nth < WEIGHTS.length; at += 1) {
      const neighbor = at < (row + 1) * graph.k ? (graph.rows[at] as number) : -1;
      if (dead.has(neighbor)) continue;
      const distance = neighbor < 0 ? 1 : 1 - (graph.similarities[at] as number);
      if (nth === 0 && distance <= EQUAL) break;
      score += (WEIGHTS[nth] ?? 0) * Math.min(1, Math.max(0, distance));
      nth += 1;
    }
    scores[row] = score;
  }
  return scores;
}
