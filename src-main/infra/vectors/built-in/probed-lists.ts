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
  const nLists = centres.length / vectors.dim;
  const offsets = new Int32Array(rows.length + 1);
  const gatherer = new RowGatherer(vectors);
  let lists = new Int32Array(2 * rows.length + MOST_PROBES * BLOCK_ROWS);
  let n = 0;
  for (let first = 0; first < rows.length; first += BLOCK_ROWS) {
    signal?.throwIfAborted();
    const block = rows.subarray(first, first + BLOCK_ROWS);
    const scores = await products.of(gatherer.gather(block), centres);
    if (lists.length < n + MOST_PROBES * block.length) lists = enlarged(lists, n + MOST_PROBES * BLOCK_ROWS);
    for (let at = 0; at < block.length; at += 1) {
      n += takeNear(scores, at * nLists, nLists, { margin, lists, at: n });
      offsets[first + at + 1] = n;
    }
  }
  return { offsets, lists: lists.slice(0, n) };
}

/**
 * Writes the index of the best of some scores, and those of scores that are less by at most the margin: {@link MOST_PROBES} at most, the best
 * ones.
 * @returns How many.
 */
function takeNear(
  scores: Float32Array,
  from: number,
  nLists: number,
  { margin, lists, at }: { margin: number; lists: Int32Array; at: number },
): number {
  let best = 0;
  let bestScore = scores[from] as number;
  for (let list = 1; list < nLists; list += 1) {
    const score = scores[from + list] as number;
    if (score <= bestScore) continue;
    bestScore = score;
    best = list;
  }
  lists[at] = best;
  if (margin <= 0) return 1;
  const bar = bestScore - margin;
  let n = 1;
  for (let list = 0; list < nLists; list += 1) {
    if ((scores[from + list] as number) < bar || list === best) continue;
    if (n === MOST_PROBES) return takeBest(scores.subarray(from, from + nLists), lists, at);
    lists[at + n] = list;
    n += 1;
  }
  return n;
}

function takeBest(scores: Float32Array, lists: Int32Array, at: number): number {
  const order = Int32Array.from(scores.keys()).sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  lists.set(order.subarray(0, MOST_PROBES), at);
  return MOST_PROBES;
}

function enlarged(lists: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(least, Math.ceil(lists.length * 1.5)));
  larger.set(lists);
  return larger;
}
