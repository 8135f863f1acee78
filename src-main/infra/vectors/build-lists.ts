import { InnerProducts } from './inner-products.ts';
import { groupByList, type InvertedLists, listOfEachRow, nListsOf, type ProbePlan } from './inverted-lists.ts';
import { nearestCentres, trainCentres } from './list-centres.ts';
import { NEIGHBORS } from './neighbor-graph.ts';
import { gatherRows, rowsWhere } from './rows.ts';
import { type SampledTruth, sampleTruth } from './sampled-truth.ts';

/** Up to so many rows everything is searched exactly: one query takes a few milliseconds, all neighbours two seconds on two cores. */
export const EXACT_ROWS = 20_000;
/** Numbers of answers that are planned for. */
const PLANNED_FOR = [10, NEIGHBORS, 100, 1000];
/** What the sample must promise; above the 0.97 that is asked for, as a sample can flatter. */
const WANTED_RECALL = 0.98;

export interface BuiltLists {
  lists: InvertedLists;
  truth: SampledTruth;
}

/**
 * Trains the centres, puts every row into its list and plans the probes: as few lists as hold the wanted share of the true neighbours of a
 * random sample.
 * @param options.alive Rows that centres and plan are made from.
 */
export async function buildLists(options: {
  vectors: Float32Array;
  dim: number;
  count: number;
  alive: Int32Array;
  threads: number;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}): Promise<BuiltLists> {
  const { vectors, dim, count, alive, threads, onProgress, signal } = options;
  const products = await InnerProducts.open(dim, threads);
  try {
    const nLists = Math.max(8, Math.round(Math.sqrt(alive.length)));
    const everyRow = rowsWhere(count, () => true);
    const centres = await trainCentres({ vectors, dim, rows: alive, nLists, products, signal });
    onProgress?.(0.3);
    const homes = await nearestCentres({ vectors, dim, rows: everyRow, centres, each: 1, products, signal });
    onProgress?.(0.7);
    const grouped = groupByList(homes, everyRow, nLists);
    const unplanned: InvertedLists = { dim, count, trainedCount: count, centres, ...grouped, probes: [] };
    const k = Math.min(alive.length - 1, PLANNED_FOR.at(-1) ?? 0);
    const truth = await sampleTruth({ vectors, dim, rows: alive, candidates: alive, k, products, signal });
    const asking = gatherRows(vectors, dim, truth.queries);
    const probes = planProbes(unplanned, truth, await products.of(asking, centres));
    onProgress?.(1);
    return { lists: { ...unplanned, probes }, truth };
  } finally {
    await products.close();
  }
}

/** @param scores Similarity of each row of the sample to each centre. */
function planProbes(lists: InvertedLists, truth: SampledTruth, scores: Float32Array): ProbePlan[] {
  const nLists = nListsOf(lists);
  const listOf = listOfEachRow(lists);
  const found = PLANNED_FOR.map(() => new Float64Array(nLists));
  const placeOf = new Int32Array(nLists);
  for (const [nth, neighbors] of truth.neighbors.entries()) {
    const ofRow = scores.subarray(nth * nLists, (nth + 1) * nLists);
    const order = Int32Array.from(ofRow.keys()).sort((a, b) => (ofRow[b] as number) - (ofRow[a] as number) || a - b);
    for (const [place, list] of order.entries()) placeOf[list] = place;
    for (const [plan, k] of PLANNED_FOR.entries()) {
      const counts = found[plan] as Float64Array;
      for (const { row } of neighbors.slice(0, k)) {
        const place = placeOf[listOf[row] as number] as number;
        counts[place] = (counts[place] as number) + 1;
      }
    }
  }
  return found.map((counts, plan) => ({ k: PLANNED_FOR[plan] as number, ...fewestLists(counts) }));
}

/** @param found Neighbours found in the first, second, … list that is probed. */
function fewestLists(found: Float64Array): { lists: number; recall: number } {
  const total = found.reduce((sum, n) => sum + n, 0);
  let sum = 0;
  for (const [place, n] of found.entries()) {
    sum += n;
    if (sum >= total * WANTED_RECALL) return { lists: place + 1, recall: total === 0 ? 1 : sum / total };
  }
  return { lists: found.length, recall: 1 };
}
