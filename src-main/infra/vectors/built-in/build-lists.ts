import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { InnerProducts } from '../neighbors/inner-products.ts';
import { NEIGHBORS } from '../neighbors/neighbor-graph.ts';
import { groupByList, rowsWhere } from '../rows.ts';
import { findRegions } from './centre-regions.ts';
import type { InvertedLists } from './inverted-lists.ts';
import { trainCentres } from './list-centres.ts';
import { type GraphPlan, planGraph } from './plan-graph.ts';
import { planProbes } from './plan-probes.ts';
import { findProbedLists, type ProbedLists } from './probed-lists.ts';
import { type SampledTruth, sampleTruth } from './sampled-truth.ts';

/** Maximum number of rows that are searched exactly: one query takes a few milliseconds, all neighbours two seconds on two cores. */
export const EXACT_ROWS = 20_000;
/** Numbers of results for which probes are planned. */
const PLANNED_FOR = [10, NEIGHBORS, 100, 1000];

export interface BuiltLists {
  lists: InvertedLists;
  truth: SampledTruth;
  /** How the graph of all rows is built, and the lists that each row then probes. */
  plan: GraphPlan;
  probed: ProbedLists;
}

/**
 * Trains the centres, assigns every row to its list and plans the probes: the fewest lists that contain the requested share of the true
 * neighbours of a random sample. The lists that rows probe for the graph are found together with their own.
 * @param options.alive Rows from which centres and plan are computed.
 * @param options.k Number of neighbours in the graph.
 */
export async function buildLists(options: {
  vectors: RowVectors;
  count: number;
  alive: Int32Array;
  k?: number;
  threads: number;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}): Promise<BuiltLists> {
  const { vectors, count, alive, k = NEIGHBORS, threads, onProgress, signal } = options;
  const { dim } = vectors;
  const products = await InnerProducts.open(dim, threads);
  try {
    const everyRow = rowsWhere(count, () => true);
    const nEven = Math.max(8, Math.round(Math.sqrt(alive.length)));
    const centres = await trainCentres({ vectors, rows: alive, nLists: nEven, products, signal });
    const nLists = centres.length / dim;
    onProgress?.(0.3);
    const most = Math.min(alive.length - 1, PLANNED_FOR.at(-1) ?? 0);
    const truth = await sampleTruth({ vectors, rows: alive, candidates: alive, k: most, products, signal });
    onProgress?.(0.4);
    const plan = await planGraph({ vectors, centres, truth, k, count, products });
    const probing = { vectors, margin: plan.margin, products, signal };
    // Rows without a vector are equally far from all centres.
    const regions = await findRegions({ ...probing, centres, rows: alive });
    const probed = await findProbedLists(regions, { ...probing, rows: everyRow });
    onProgress?.(0.9);
    const homes = Int32Array.from(everyRow, (row) => probed.lists[probed.offsets[row] as number] as number);
    const grouped = groupByList(homes, everyRow, nLists);
    const unplanned: InvertedLists = { dim, count, trainedCount: count, centres, ...grouped, probes: [] };
    const probes = await planProbes(unplanned, { vectors, truth, products, plannedFor: PLANNED_FOR });
    onProgress?.(1);
    return { lists: { ...unplanned, probes }, truth, plan, probed };
  } finally {
    await products.close();
  }
}
