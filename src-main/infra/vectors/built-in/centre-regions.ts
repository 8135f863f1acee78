import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import type { InnerProducts } from '../neighbors/inner-products.ts';
import { HeldVectors } from '../row-vectors.ts';
import { rowsWhere, sampleRows } from '../rows.ts';
import { centresWithin, nearestCentres, train } from './list-centres.ts';

/** Number of rows by which the sizes of regions are chosen. */
const SAMPLE = 2048;
const SEED = 3;
/** Share of the lists that rows of the sample probe whose centres must be in the region of the row. */
const WANTED_SHARE = 0.999;
/** Maximum share of the centres in a region; with more, it saves too little. */
const LARGEST_SHARE = 1 / 2;

/** The centres of some lists. */
export interface CentreRegion {
  lists: Int32Array;
  /** `dim` floats each. */
  centres: Float32Array;
}

/**
 * The centres of lists by region, so that a row is compared only with those of its region.
 *
 * [Note: Regions of centres] To compare every row with every centre takes almost half the time of a graph. So regions have middles, which are
 * centres of the centres, and each row belongs to the nearest middle. A region has the centres that are nearest to its middle: as many as a
 * sample of rows needs to find the lists that it probes. If that is most of them, as for vectors without clusters, one region has all.
 */
export interface CentreRegions {
  /** Unit vectors, one for each region; empty for a single region. */
  middles: Float32Array;
  regions: readonly CentreRegion[];
}

/** Rows that probe the lists with the nearest centres. */
export interface Probing {
  vectors: RowVectors;
  rows: Int32Array;
  /** Centres of the lists, `dim` floats each. */
  centres: Float32Array;
  /** A row probes lists whose centres are less similar than the nearest by at most this. */
  margin: number;
  products: InnerProducts;
  signal?: AbortSignal | undefined;
}

export async function findRegions(options: Probing): Promise<CentreRegions> {
  const { vectors, margin, products, signal } = options;
  const centres = new HeldVectors(options.centres, vectors.dim);
  const nLists = centres.count;
  const lists = rowsWhere(nLists, () => true);
  const middles = await train({ vectors: centres, products, signal }, lists, Math.round(Math.sqrt(nLists)));
  const held = new HeldVectors(middles, vectors.dim);
  const every = { rows: rowsWhere(held.count, () => true), each: nLists };
  const order = await nearestCentres({ vectors: held, ...every, centres: options.centres, products, signal });
  /** All lists for each middle, those with the nearest centres first. */
  const nearest = Array.from(every.rows, (middle) => order.subarray(middle * nLists, (middle + 1) * nLists));
  const rankOf = nearest.map((inOrder) => {
    const ranks = new Int32Array(nLists);
    for (const [rank, list] of inOrder.entries()) ranks[list] = rank;
    return ranks;
  });
  const rows = sampleRows(options.rows, SAMPLE, SEED);
  const regionOf = await nearestCentres({ vectors, rows, centres: middles, each: 1, products, signal });
  await products.of(vectors.gather(rows), options.centres);
  const needed = Array.from(regionOf, (region, nth) =>
    Array.from(centresWithin(margin, products, nth), (list) => rankOf[region]?.[list] ?? 0),
  );
  const ranks = Int32Array.from(needed.flat()).sort();
  const size = 1 + (ranks[Math.ceil(ranks.length * WANTED_SHARE) - 1] ?? nLists);
  if (size > nLists * LARGEST_SHARE) {
    return { middles: new Float32Array(), regions: [{ lists, centres: options.centres }] };
  }
  const regions = nearest.map((inOrder) => {
    const near = inOrder.slice(0, size).sort();
    return { lists: near, centres: centres.gather(near) };
  });
  return { middles, regions };
}
