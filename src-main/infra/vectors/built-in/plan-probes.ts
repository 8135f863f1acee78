import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import type { InnerProducts } from '../neighbors/inner-products.ts';
import { type InvertedLists, listOfEachRow, nListsOf, type ProbePlan } from './inverted-lists.ts';
import type { SampledTruth } from './sampled-truth.ts';

/** Minimum recall on the sample; above the required 0.97, because a sample can overestimate. */
const REQUIRED_RECALL = 0.98;

/**
 * Plans how many lists a search must probe for each number of results: the fewest that contain the requested share of a sample's true
 * neighbours.
 */
export async function planProbes(
  lists: InvertedLists,
  options: { vectors: RowVectors; truth: SampledTruth; products: InnerProducts; plannedFor: readonly number[] },
): Promise<ProbePlan[]> {
  const { vectors, truth, products, plannedFor } = options;
  const nLists = nListsOf(lists);
  const listOf = listOfEachRow(lists);
  const scores = await products.of(vectors.gather(truth.queries), lists.centres);
  const found = plannedFor.map(() => new Float64Array(nLists));
  const placeOf = new Int32Array(nLists);
  for (const [nth, neighbors] of truth.neighbors.entries()) {
    const ofRow = scores.subarray(nth * nLists, (nth + 1) * nLists);
    const order = Int32Array.from(ofRow.keys()).sort((a, b) => (ofRow[b] as number) - (ofRow[a] as number) || a - b);
    for (const [place, list] of order.entries()) placeOf[list] = place;
    for (const [plan, k] of plannedFor.entries()) {
      for (const { row } of neighbors.slice(0, k))
        count(found[plan] as Float64Array, placeOf[listOf[row] as number] ?? 0);
    }
  }
  return found.map((counts, plan) => ({ k: plannedFor[plan] as number, ...fewestLists(counts) }));
}

function count(counts: Float64Array, place: number): void {
  counts[place] = (counts[place] as number) + 1;
}

/** @param found Number of neighbours found in the first, second, … probed list. */
function fewestLists(found: Float64Array): { lists: number; recall: number } {
  const total = found.reduce((sum, n) => sum + n, 0);
  let sum = 0;
  for (const [place, n] of found.entries()) {
    sum += n;
    if (sum >= total * REQUIRED_RECALL) return { lists: place + 1, recall: total === 0 ? 1 : sum / total };
  }
  return { lists: found.length, recall: 1 };
}
