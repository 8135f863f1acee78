import { HeldVectors, RowGatherer } from '../row-vectors.ts';
import { groupByList, rowsOfList, rowsWhere } from '../rows.ts';
import type { CentreRegions, Probing } from './centre-regions.ts';
import { centresWithin, nearestCentres } from './list-centres.ts';

/** Size of the vectors that are assigned to regions together. */
const BLOCK_BYTES = 2 ** 26;
/** Number of rows that are compared with the centres of a region in one matrix product. */
const COMPARED_ROWS = 2048;

/** The lists that rows probe. Those of the n-th row are `lists[offsets[n] … offsets[n + 1]]`, its own first. */
export interface ProbedLists {
  offsets: Int32Array;
  lists: Int32Array;
}

/** Finds the lists that rows probe: [Note: Margin of probes]. @param regions The centres of the lists. */
export async function findProbedLists(regions: CentreRegions, options: Omit<Probing, 'centres'>): Promise<ProbedLists> {
  const { vectors, rows } = options;
  const offsets = new Int32Array(rows.length + 1);
  const all = new GrowingList();
  const gatherer = new RowGatherer(vectors);
  const nTogether = Math.max(1, Math.floor(BLOCK_BYTES / 4 / vectors.dim));
  for (let first = 0; first < rows.length; first += nTogether) {
    const block = new HeldVectors(gatherer.gather(rows.subarray(first, first + nTogether)), vectors.dim);
    const { lists, starts, ends } = await probesOf(block, regions, options);
    for (let at = 0; at < block.count; at += 1) {
      all.append(lists.subarray(starts[at], ends[at]));
      offsets[first + at + 1] = all.length;
    }
  }
  return { offsets, lists: all.toArray() };
}

/** Finds the lists that some vectors probe, region by region. Those of the n-th vector are `lists[starts[n] … ends[n]]`. */
async function probesOf(
  vectors: HeldVectors,
  { middles, regions }: CentreRegions,
  { margin, products, signal }: Omit<Probing, 'centres'>,
): Promise<{ lists: Int32Array; starts: Int32Array; ends: Int32Array }> {
  const { count } = vectors;
  const every = rowsWhere(count, () => true);
  const regionOf =
    regions.length === 1
      ? new Int32Array(count)
      : await nearestCentres({ vectors, rows: every, centres: middles, each: 1, products, signal });
  const grouped = groupByList(regionOf, every, regions.length);
  const gatherer = new RowGatherer(vectors);
  const found = new GrowingList();
  const [starts, ends] = [new Int32Array(count), new Int32Array(count)];
  for (const [nth, { lists, centres }] of regions.entries()) {
    const rows = rowsOfList(grouped, nth);
    for (let first = 0; first < rows.length; first += COMPARED_ROWS) {
      signal?.throwIfAborted();
      const some = rows.subarray(first, first + COMPARED_ROWS);
      await products.of(gatherer.gather(some), centres);
      for (const [at, row] of some.entries()) {
        const near = centresWithin(margin, products, at);
        for (let place = 0; place < near.length; place += 1) near[place] = lists[near[place] as number] as number;
        starts[row] = found.length;
        found.append(near);
        ends[row] = found.length;
      }
    }
  }
  return { lists: found.toArray(), starts, ends };
}

/** Numbers in one array, which grows. */
class GrowingList {
  length = 0;
  #numbers = new Int32Array(2 ** 16);

  append(more: Int32Array): void {
    const length = this.length + more.length;
    if (length > this.#numbers.length) {
      const larger = new Int32Array(Math.ceil(length * 1.5));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers.set(more, this.length);
    this.length = length;
  }

  toArray(): Int32Array {
    return this.#numbers.subarray(0, this.length);
  }
}
