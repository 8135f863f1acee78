import { InnerProducts } from '../neighbors/inner-products.ts';
import { NEIGHBORS } from '../neighbors/neighbor-graph.ts';
import { rowsWhere } from '../rows.ts';
import { groupByList, type InvertedLists } from './inverted-lists.ts';
import { nearestCentres, trainCentres } from './list-centres.ts';
import { planProbes } from './plan-probes.ts';
import { type SampledTruth, sampleTruth } from './sampled-truth.ts';

/** Maximum number of rows that are searched exactly: one query takes a few milliseconds, all neighbours two seconds on two cores. */
export const EXACT_ROWS = 20_000;
/** Numbers of results for which probes are planned. */
const PLANNED_FOR = [10, NEIGHBORS, 100, 1000];
/** Number of nearest lists of each row that are found together with its own. */
export const FIRST_PROBES = 5;

export interface BuiltLists {
  lists: InvertedLists;
  truth: SampledTruth;
  /** The {@link FIRST_PROBES} lists nearest to each row, nearest first. */
  nearest: Int32Array;
}

/**
 * Trains the centres, assigns every row to its list and plans the probes: the fewest lists that contain the wanted share of the true
 * neighbours of a random sample.
 * @param options.alive Rows from which centres and plan are computed.
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
    const nearest = await nearestCentres({
      vectors,
      dim,
      rows: everyRow,
      centres,
      each: FIRST_PROBES,
      products,
      signal,
    });
    const homes = Int32Array.from(everyRow, (row) => nearest[row * FIRST_PROBES] as number);
    onProgress?.(0.7);
    const grouped = groupByList(homes, everyRow, nLists);
    const unplanned: InvertedLists = { dim, count, trainedCount: count, centres, ...grouped, probes: [] };
    const k = Math.min(alive.length - 1, PLANNED_FOR.at(-1) ?? 0);
    const truth = await sampleTruth({ vectors, dim, rows: alive, candidates: alive, k, products, signal });
    const probes = await planProbes(unplanned, { vectors, truth, products, plannedFor: PLANNED_FOR });
    onProgress?.(1);
    return { lists: { ...unplanned, probes }, truth, nearest };
  } finally {
    await products.close();
  }
}
