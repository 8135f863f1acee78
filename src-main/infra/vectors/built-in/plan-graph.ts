import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import type { InnerProducts } from '../neighbors/inner-products.ts';
import { RowGatherer } from '../row-vectors.ts';
import type { SampledTruth } from './sampled-truth.ts';

/** Painting share of the true neighbours of a sample that probed lists contain. */
const WANTED_SHARE = 0.985;
/** Number of lists that a row probes on average for a graph that is refined afterwards. */
const FIRST_PROBES = 5;
/** Cost of matrix products of lists relative to those of large blocks. */
const IN_LISTS = 1.5;
/** Cost of refining per row, as a number of rows that it could be compared with by matrix products. */
const REFINING = 20_000;

/** How a graph is built. */
export interface GraphPlan {
  by: 'probing' | 'refining' | 'comparing_all';
  /** A row probes the list of its nearest centre, and lists whose centre is less similar by at most this. */
  margin: number;
}

/**
 * Plans how the neighbours of all rows are searched, by a sample of rows with their true neighbours.
 *
 * [Note: Margin of probes] A row in the middle of a list has all neighbours there, a row between lists has them in several. So a row probes the
 * lists whose centres are almost as near as the nearest one, instead of a fixed number of lists. Two rows find each other when one of them
 * probes the other's list. The margin is the smallest that finds the requested share of the sample's neighbours: it follows how well the data is
 * clustered.
 */
export async function planGraph(options: {
  vectors: RowVectors;
  centres: Float32Array;
  truth: SampledTruth;
  /** Number of neighbours. */
  k: number;
  /** Number of rows. */
  count: number;
  products: InnerProducts;
}): Promise<GraphPlan> {
  const { vectors, centres, truth, k, count, products } = options;
  const nLists = centres.length / vectors.dim;
  const gatherer = new RowGatherer(vectors);
  /** For each true neighbour: the margin at which it is found. For each row of the sample and each list: the margin at which it is probed. */
  const needed: number[] = [];
  const gaps: number[] = [];
  for (const [nth, neighbors] of truth.neighbors.entries()) {
    const query = truth.queries[nth] as number;
    const rows = Int32Array.from([query, ...neighbors.slice(0, k).map(({ row }) => row)]).sort();
    const scores = await products.of(gatherer.gather(rows), centres);
    const near = Array.from(rows, (_, at) => gapsOf(scores.subarray(at * nLists, (at + 1) * nLists)));
    const ofQuery = near[rows.indexOf(query)];
    if (!ofQuery) continue;
    for (let list = 0; list < nLists; list += 1) gaps.push(ofQuery.to(list));
    for (const [at, ofRow] of near.entries()) {
      if (rows[at] !== query) needed.push(Math.min(ofQuery.to(ofRow.home), ofRow.to(ofQuery.home)));
    }
  }
  const nRows = truth.queries.length;
  const perProbe = (count / nLists) * IN_LISTS;
  const probing = quantileOf(needed, WANTED_SHARE);
  const probes = gaps.filter((gap) => gap <= probing).length / nRows;
  // Rows that each row is compared with; comparing all compares every two rows once.
  const [byProbing, byAll] = [probes * perProbe, count / 2];
  // Refining reads single rows in no order, which takes too long from a file.
  const byRefining = vectors.areHeld ? FIRST_PROBES * perProbe + REFINING : Number.POSITIVE_INFINITY;
  if (byAll < Math.min(byProbing, byRefining)) return { by: 'comparing_all', margin: 0 };
  if (byProbing <= byRefining) return { by: 'probing', margin: probing };
  return { by: 'refining', margin: quantileOf(gaps, (FIRST_PROBES * nRows) / gaps.length) };
}

/** The nearest list of a row, and how much less similar the centres of others are. */
function gapsOf(scores: Float32Array): { home: number; to: (list: number) => number } {
  let home = 0;
  for (let list = 1; list < scores.length; list += 1) {
    if ((scores[list] as number) > (scores[home] as number)) home = list;
  }
  return { home, to: (list) => (scores[home] as number) - (scores[list] as number) };
}

/** The smallest value that a share of the values does not exceed. */
function quantileOf(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length, Math.max(1, Math.ceil(sorted.length * share))) - 1] ?? 0;
}
