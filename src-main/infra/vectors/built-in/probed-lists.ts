import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import type { InnerProducts } from '../neighbors/inner-products.ts';
import { RowGatherer } from '../row-vectors.ts';
import { MOST_PROBES } from './plan-graph.ts';

/** Number of rows that are compared with all centres in one matrix product. */
const BLOCK_ROWS = 2048;

/** The lists that rows probe. Those of the n-th row are `lists[offsets[n] … offsets[n + 1]]`, its own first. */
export interface ProbedLists {
  offsets: Int32Array;
  lists: Int32Array;
}

/**
 * Finds the lists that rows probe: [Note: Margin of probes].
 * @param options.centres Centres of the lists, `dim` floats each.
 */
export async function findProbedLists(options: {
  vectors: RowVectors;
  rows: Int32Array;
  centres: Float32Array;
  margin: number;
  products: InnerProducts;
  signal?: AbortSignal | undefined;
}): Promise<ProbedLists> {
  const { vectors, rows, centres, margin, products, signal } = options;
  const offsets = new Int32Array(rows.length + 1);
  const gatherer = new RowGatherer(vectors);
  let lists = new Int32Array(2 * rows.length + MOST_PROBES * BLOCK_ROWS);
  let n = 0;
  for (let first = 0; first < rows.length; first += BLOCK_ROWS) {
    signal?.throwIfAborted();
    const block = rows.subarray(first, first + BLOCK_ROWS);
    await products.of(gatherer.gather(block), centres);
    if (lists.length < n + MOST_PROBES * block.length) lists = enlarged(lists, n + MOST_PROBES * BLOCK_ROWS);
    for (let at = 0; at < block.length; at += 1) {
      n += takeNear(products, at, { margin, lists, at: n });
      offsets[first + at + 1] = n;
    }
  }
  return { offsets, lists: lists.slice(0, n) };
}

/**
 * Writes the list with the nearest centre of the nth row, and those whose centres are less similar by at most the margin: {@link MOST_PROBES} at
 * most, the nearest ones.
 * @returns How many.
 */
function takeNear(
  products: InnerProducts,
  nth: number,
  { margin, lists, at }: { margin: number; lists: Int32Array; at: number },
): number {
  const {
    products: [score = 0],
    places: [home = 0],
  } = products.best(nth, 1);
  lists[at] = home;
  if (margin <= 0) return 1;
  const near = products.from(nth, score - margin);
  if (near.length > MOST_PROBES) {
    lists.set(products.best(nth, MOST_PROBES).places, at);
    return MOST_PROBES;
  }
  let n = 1;
  for (const list of near) {
    if (list === home) continue;
    lists[at + n] = list;
    n += 1;
  }
  return n;
}

function enlarged(lists: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(least, Math.ceil(lists.length * 1.5)));
  larger.set(lists);
  return larger;
}
