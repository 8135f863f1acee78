import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import type { InnerProducts } from '../neighbors/inner-products.ts';
import { HeldVectors, RowGatherer } from '../row-vectors.ts';
import { groupByList, rowsWhere, sampleRows, seededRandom } from '../rows.ts';

const SAMPLE_PER_LIST = 32;
const ROUNDS = 6;
/** A list is divided when it has this many times its share of the sample; and how often at most. */
const [LONG, DIVISIONS] = [3, 4];
const SEED = 20_110_301;
/** Maximum number of lists that a row probes. */
export const MOST_PROBES = 64;
/** Number of vectors that are compared with all centres in one matrix product. */
const BLOCK_ROWS = 2048;

interface Training {
  vectors: RowVectors;
  products: InnerProducts;
  signal?: AbortSignal | undefined;
}

/**
 * Trains the centres of inverted lists: spherical k-means on a sample (Dhillon & Modha 2001), that is k-means by cosine instead of distance.
 * Deterministic.
 *
 * [Note: Even lists] The centre of many different vectors is close to everything, so some lists become a hundred times as long as others, and
 * most comparisons for a graph are within them. A list with several times its share of the sample is divided by centres of its own, and again
 * if one of its parts is as long.
 * @param options.rows Rows to sample.
 * @param options.nLists Number of lists if they were of equal length; there are more if some are divided.
 * @returns Unit vectors, `dim` floats each.
 */
export async function trainCentres(options: Training & { rows: Int32Array; nLists: number }): Promise<Float32Array> {
  const { vectors, nLists } = options;
  const { dim } = vectors;
  const sample = sampleRows(options.rows, nLists * SAMPLE_PER_LIST, SEED);
  const sampled = new HeldVectors(vectors.gather(sample), dim);
  const training = { ...options, vectors: sampled };
  let centres = await train(training, everyRowOf(sampled), nLists);
  for (let division = 0; division < DIVISIONS; division += 1) {
    const divided = await divideLong(training, centres);
    if (divided.length === centres.length) break;
    centres = divided;
  }
  return centres;
}

/** Replaces the centres of long lists by several. */
async function divideLong(training: Training, centres: Float32Array): Promise<Float32Array> {
  const { vectors } = training;
  const { dim } = vectors;
  const rows = everyRowOf(vectors);
  const nearest = await nearestCentres({ ...training, rows, centres, each: 1 });
  const { offsets, rows: grouped } = groupByList(nearest, rows, centres.length / dim);
  const parts: Float32Array[] = [];
  for (let list = 0; list * dim < centres.length; list += 1) {
    const members = grouped.subarray(offsets[list], offsets[list + 1]);
    const n = Math.round(members.length / SAMPLE_PER_LIST);
    if (n < LONG) parts.push(centres.subarray(list * dim, (list + 1) * dim));
    else parts.push(await train(training, members, n));
  }
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Trains the centres of `n` lists among the given rows. */
export async function train(
  { vectors, products, signal }: Training,
  rows: Int32Array,
  n: number,
): Promise<Float32Array> {
  const { dim } = vectors;
  const points = vectors.gather(rows);
  const trained = new HeldVectors(points, dim);
  const everyPoint = everyRowOf(trained);
  const centres = trained.gather(sampleRows(everyPoint, n, SEED + 1)).slice();
  const random = seededRandom(SEED + 2);
  for (let round = 0; round < ROUNDS; round += 1) {
    const nearest = await nearestCentres({ vectors: trained, rows: everyPoint, centres, each: 1, products, signal });
    centres.fill(0);
    const sizes = new Int32Array(n);
    for (let at = 0; at < nearest.length; at += 1) {
      const list = nearest[at] as number;
      sizes[list] = (sizes[list] as number) + 1;
      for (let axis = 0; axis < dim; axis += 1) {
        centres[list * dim + axis] = (centres[list * dim + axis] as number) + (points[at * dim + axis] as number);
      }
    }
    for (let list = 0; list < n; list += 1) {
      // A centre without points restarts at a random point.
      if (sizes[list] === 0) {
        const point = Math.floor(random() * rows.length);
        centres.set(points.subarray(point * dim, (point + 1) * dim), list * dim);
      }
      normalise(centres.subarray(list * dim, (list + 1) * dim));
    }
  }
  return centres;
}

function everyRowOf({ count }: RowVectors): Int32Array {
  return rowsWhere(count, () => true);
}

/**
 * Finds the `each` nearest centres of every given row, nearest first.
 * @returns rows × each numbers of centres.
 */
export async function nearestCentres(options: {
  vectors: RowVectors;
  rows: Int32Array;
  centres: Float32Array;
  /** Number of centres per row; not more than there are centres. */
  each: number;
  products: InnerProducts;
  signal?: AbortSignal | undefined;
}): Promise<Int32Array> {
  const { vectors, rows, centres, each, products, signal } = options;
  const nearest = new Int32Array(rows.length * each);
  const gatherer = new RowGatherer(vectors);
  for (let first = 0; first < rows.length; first += BLOCK_ROWS) {
    signal?.throwIfAborted();
    const block = rows.subarray(first, first + BLOCK_ROWS);
    await products.of(gatherer.gather(block), centres);
    for (let at = 0; at < block.length; at += 1) nearest.set(products.best(at, each).places, (first + at) * each);
  }
  return nearest;
}

/**
 * The nearest centre of the nth row that was compared with all, and those that are less similar by at most the margin: {@link MOST_PROBES} at
 * most, the nearest ones. Valid until the next selection.
 */
export function centresWithin(margin: number, products: InnerProducts, nth: number): Int32Array {
  const nearest = products.best(nth, 1);
  if (margin <= 0) return nearest.places;
  const [home = 0] = nearest.places;
  const near = products.from(nth, (nearest.products[0] as number) - margin);
  if (near.length > MOST_PROBES) return products.best(nth, MOST_PROBES).places;
  near.copyWithin(1, 0, near.indexOf(home));
  near[0] = home;
  return near;
}

function normalise(vector: Float32Array): void {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return;
  const scale = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] as number) * scale;
}
