import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { ArrayFile } from '../array-file.ts';
import { freeMemory } from '../free-memory.ts';
import type { GraphSearch } from '../neighbors/graph-search.ts';
import { emptyGraph, type NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { RowGatherer, StoredVectors } from '../row-vectors.ts';
import { rowsWhere } from '../rows.ts';
import type { BuiltLists } from './build-lists.ts';
import type { InvertedLists } from './inverted-lists.ts';
import { searchAmongAll } from './list-graph.ts';
import type { ProbedLists } from './probed-lists.ts';

/** Size of the vectors that are sorted together. */
const SORTED_BYTES = 2 ** 26;

/**
 * {@link searchAmongAll} for vectors in files. They are first copied to a file in which each list is in one place, because lists are what a search
 * reads. The rows are numbered by their place in the meantime. Only a few lists are in memory at once.
 * @param scratch Path of the file, which disappears with the process at the latest.
 */
export async function searchSorted(
  search: GraphSearch,
  { lists, probed }: Pick<BuiltLists, 'lists' | 'probed'>,
  scratch: string,
): Promise<void> {
  const { graph, vectors, candidates } = search;
  const { count, rows: order } = lists;
  const places = new Int32Array(count);
  for (let place = 0; place < count; place += 1) places[order[place] as number] = place;
  const file = ArrayFile.openScratch(scratch);
  try {
    const sorted = writeSorted(vectors, order, places, file);
    const found = emptyGraph(count, graph.k);
    const everyPlace = rowsWhere(count, () => true);
    await searchAmongAll(
      {
        ...search,
        graph: found,
        vectors: sorted,
        queries: everyPlace,
        candidates: candidates.map((row) => places[row] as number).sort(),
      },
      { lists: { ...lists, rows: everyPlace }, probed: probedBy(order, probed) },
    );
    takeFound(graph, found, order);
    freeMemory(found.rows, found.similarities);
  } finally {
    file.close();
  }
}

/** @param order Row at each place. */
function writeSorted(vectors: RowVectors, order: Int32Array, places: Int32Array, file: ArrayFile): RowVectors {
  const { count, dim } = vectors;
  const rowBytes = dim * 4;
  const gatherer = new RowGatherer(vectors);
  const nTogether = Math.max(1, Math.floor(SORTED_BYTES / rowBytes));
  const sorted = new Float32Array(nTogether * dim);
  for (let first = 0; first < count; first += nTogether) {
    const rows = Int32Array.from({ length: Math.min(nTogether, count - first) }, (_, at) => first + at);
    const block = gatherer.gather(rows);
    const targets = rows.map((row) => places[row] as number).sort();
    for (const [at, place] of targets.entries()) {
      const from = ((order[place] as number) - first) * dim;
      sorted.set(block.subarray(from, from + dim), at * dim);
    }
    // Rows of one list are side by side.
    for (let from = 0; from < targets.length; ) {
      const place = targets[from] as number;
      let to = from + 1;
      while (to < targets.length && (targets[to] as number) === place + to - from) to += 1;
      file.write(place * rowBytes, sorted.subarray(from * dim, to * dim));
      from = to;
    }
  }
  return new StoredVectors(count, dim, (first, _n, target) => file.read(first * rowBytes, target));
}

/** The lists that rows probe, in the order of their places. */
function probedBy(order: InvertedLists['rows'], { offsets, lists }: ProbedLists): ProbedLists {
  const byPlace: ProbedLists = { offsets: new Int32Array(offsets.length), lists: new Int32Array(lists.length) };
  let n = 0;
  for (let place = 0; place < order.length; place += 1) {
    const row = order[place] as number;
    const ofRow = lists.subarray(offsets[row], offsets[row + 1]);
    byPlace.lists.set(ofRow, n);
    n += ofRow.length;
    byPlace.offsets[place + 1] = n;
  }
  return byPlace;
}

/** Takes over a graph whose rows are numbered by their place. Equal neighbours are ordered by row again. */
function takeFound(graph: NeighborGraph, found: NeighborGraph, order: Int32Array): void {
  const { k, rows, similarities } = graph;
  for (let place = 0; place < order.length; place += 1) {
    const start = (order[place] as number) * k;
    for (let nth = 0; nth < k; nth += 1) {
      const other = found.rows[place * k + nth] as number;
      if (other < 0) break;
      const row = order[other] as number;
      const similarity = found.similarities[place * k + nth] as number;
      let at = start + nth;
      for (; at > start && similarities[at - 1] === similarity && (rows[at - 1] as number) > row; at -= 1) {
        rows[at] = rows[at - 1] as number;
        similarities[at] = similarity;
      }
      rows[at] = row;
      similarities[at] = similarity;
    }
  }
}
