import { InnerProducts } from '../neighbors/inner-products.ts';
import { RowGatherer } from '../rows.ts';
import { type InvertedLists, listOfEachRow, nListsOf, type ProbePlan } from './inverted-lists.ts';
import type { SampledTruth } from './sampled-truth.ts';

/** Minimum recall on the sample; above the required 0.97, because a sample can overestimate. */
export const WANTED_RECALL = 0.98;

/**
 * Plans how many lists a search must probe for each number of results: the fewest that contain the wanted share of a sample's true
 * neighbours.
 */
export async function planProbes(
  lists: InvertedLists,
  options: { vectors: Float32Array; truth: SampledTruth; products: InnerProducts; plannedFor: readonly number[] },
): Promise<ProbePlan[]> {
  const { vectors, truth, products, plannedFor } = options;
  const nLists = nListsOf(lists);
  const listOf = listOfEachRow(lists);
  const scores = await products.of(new RowGatherer(vectors, lists.dim).gather(truth.queries), lists.centres);
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

/**
 * Plans how many lists all rows must probe for their `k` neighbours: fewer than a single search, because two rows find each other when one
 * of them probes the other's list.
 */
export async function planGraphProbes(
  lists: InvertedLists,
  options: { vectors: Float32Array; truth: SampledTruth; k: number; threads: number },
): Promise<number> {
  const { vectors, truth, k, threads } = options;
  const nLists = nListsOf(lists);
  const listOf = listOfEachRow(lists);
  const found = new Float64Array(nLists);
  const gatherer = new RowGatherer(vectors, lists.dim);
  const products = await InnerProducts.open(lists.dim, threads);
  try {
    for (const [nth, neighbors] of truth.neighbors.entries()) {
      const query = truth.queries[nth] as number;
      const rows = [query, ...neighbors.slice(0, k).map(({ row }) => row)].toSorted((a, b) => a - b);
      const scores = await products.of(gatherer.gather(Int32Array.from(rows)), lists.centres);
      const placeOf = (row: number, list: number) => placeAmong(scores, rows.indexOf(row) * nLists, nLists, list);
      for (const row of rows) {
        if (row === query) continue;
        const [asked, asking] = [placeOf(query, listOf[row] as number), placeOf(row, listOf[query] as number)];
        count(found, Math.min(asked, asking));
      }
    }
  } finally {
    await products.close();
  }
  return fewestLists(found).lists;
}

/** Counts how many of n scores are above that of an entry. */
function placeAmong(scores: Float32Array, from: number, n: number, entry: number): number {
  const score = scores[from + entry] as number;
  let place = 0;
  for (let at = from; at < from + n; at += 1) if ((scores[at] as number) > score) place += 1;
  return place;
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
    if (sum >= total * WANTED_RECALL) return { lists: place + 1, recall: total === 0 ? 1 : sum / total };
  }
  return { lists: found.length, recall: 1 };
}
