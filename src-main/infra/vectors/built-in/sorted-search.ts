import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { freeMemory } from '../free-memory.ts';
import type { GraphSearch } from '../neighbors/graph-search.ts';
import { emptyGraph, type NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { eachBlock, StoredVectors } from '../row-vectors.ts';
import { rowsWhere } from '../rows.ts';
import type { BuiltLists } from './build-lists.ts';
import type { InvertedLists } from './inverted-lists.ts';
import { searchAmongAll } from './list-graph.ts';
import type { ProbedLists } from './probed-lists.ts';

/** Number of rows that are sorted together. */
const SORTED_ROWS = 32_768;

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
  const file = openScratch(scratch);
  try {
    const sorted = writeSorted(vectors, places, file);
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
    closeSync(file);
  }
}

/** Opens a file that has no name any more, so that nothing remains of it when the process is killed. */
function openScratch(path: string): number {
  const file = openSync(path, 'w+');
  rmSync(path);
  return file;
}

function writeSorted(vectors: RowVectors, places: Int32Array, file: number): RowVectors {
  const { count, dim } = vectors;
  const rowBytes = dim * 4;
  const sorted = new Uint8Array(SORTED_ROWS * rowBytes);
  for (let first = 0; first < count; first += SORTED_ROWS) {
    const rows = Int32Array.from({ length: Math.min(SORTED_ROWS, count - first) }, (_, at) => first + at);
    // Combines place and row in one number: typed arrays of numbers sort without a comparison function.
    const keys = Float64Array.from(rows, (row) => (places[row] as number) * count + row).sort();
    const positionOf = new Int32Array(rows.length);
    for (let at = 0; at < rows.length; at += 1) positionOf[((keys[at] as number) % count) - first] = at;
    eachBlock(vectors, rows, (from, block, n) => {
      const bytes = new Uint8Array(block.buffer, block.byteOffset, block.byteLength);
      for (let at = 0; at < n; at += 1) {
        sorted.set(bytes.subarray(at * rowBytes, (at + 1) * rowBytes), (positionOf[from + at] as number) * rowBytes);
      }
    });
    const placeAt = (at: number) => Math.floor((keys[at] as number) / count);
    for (let from = 0; from < rows.length; ) {
      let to = from + 1;
      while (to < rows.length && placeAt(to) === placeAt(from) + to - from) to += 1;
      writeAll(file, sorted.subarray(from * rowBytes, to * rowBytes), placeAt(from) * rowBytes);
      from = to;
    }
  }
  return new StoredVectors(count, dim, (first, n, { buffer, byteOffset }) => {
    readAll(file, new Uint8Array(buffer, byteOffset, n * rowBytes), first * rowBytes);
  });
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

function readAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, bytes.length - done, at + done);
    if (read === 0) throw new Error('the sorted vectors end too early');
    done += read;
  }
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
