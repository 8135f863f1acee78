import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { type BothWays, EntryBars } from '../neighbors/entry-bars.ts';
import type { GraphSearch } from '../neighbors/graph-search.ts';
import { gatherInto } from '../row-vectors.ts';
import { groupByList, markRows, type RowsByList, rowsOfList } from '../rows.ts';
import { PAGE_BYTES, paddedBytes, type Score, vectorKernels } from '../vector-kernels.ts';
import { type InvertedLists, listOfEachRow, nListsOf } from './inverted-lists.ts';

/** Size of the vectors that are read together. */
const BLOCK_BYTES = 2 ** 25;
/** Maximum number of queries per list, beyond which reading the rows of each list takes less time. */
const MAX_QUERIES_PER_LIST = 16;

/** Whether queries that probe so many lists in all are few enough for {@link compareInOrder}. */
export function areFew(lists: InvertedLists, nProbes: number): boolean {
  return nProbes <= nListsOf(lists) * MAX_QUERIES_PER_LIST;
}

/**
 * Compares queries with the rows of the lists that they ask. The rows of a list are spread over the files, and reading them one by one would
 * take most of the time. Vectors are therefore read in the order of rows, block by block, and the few rows of a block that are in the same list
 * are compared with the queries that ask that list. All queries and one block are in memory.
 */
export async function compareInOrder(
  search: GraphSearch,
  options: {
    lists: InvertedLists;
    asking: RowsByList;
    bothWays: BothWays | undefined;
    /** For tests (default {@link BLOCK_BYTES}). */
    blockBytes?: number;
  },
): Promise<void> {
  const { lists, asking, bothWays, blockBytes = BLOCK_BYTES } = options;
  const { graph, vectors, candidates, onProgress, signal } = search;
  const isCandidate = markRows(graph.count, candidates);
  const listOf = listOfEachRow(lists);
  const asked = candidates.filter((row) => rowsOfList(asking, listOf[row] as number).length > 0);
  // Reading rows without gaps takes less time.
  const rows = asked.length * 2 > candidates.length ? candidates : asked;
  const size = Math.min(rows.length, Math.floor(blockBytes / vectors.dim / 4));
  const products = new ProductsByList(search, asking, size);
  const bars = EntryBars.ofCandidates(search, bothWays);
  const queryBars = new EntryBars(graph);

  /** Compares a row with the queries that ask its list, and enters each into the list of the other. */
  const compare = (row: number, queries: Int32Array, similarities: Float32Array) => {
    let bar = bars.of(row);
    for (let nth = 0; nth < queries.length; nth += 1) {
      const [query, similarity] = [queries[nth] as number, similarities[nth] as number];
      if (query === row) continue;
      if (similarity >= queryBars.of(query)) queryBars.offer(query, row, similarity);
      if (similarity >= bar && isCandidate[query] === 1) bar = Math.max(bar, bars.offer(row, query, similarity));
    }
  };
  for (let first = 0; first < rows.length; first += size) {
    signal?.throwIfAborted();
    await nextTurn();
    const block = rows.subarray(first, first + size);
    products.read(block);
    const ofBlock = block.map((row) => listOf[row] as number);
    const places = groupByList(ofBlock, Int32Array.from(block.keys()), nListsOf(lists));
    for (let list = 0; list < nListsOf(lists); list += 1) {
      const queries = rowsOfList(asking, list);
      if (queries.length === 0) continue;
      for (const place of rowsOfList(places, list)) {
        compare(block[place] as number, queries, products.of(place, list));
      }
    }
    onProgress?.((first + block.length) / rows.length);
  }
}

/** Inner products of the rows of a block with the queries that ask a list, by the WebAssembly kernel. */
class ProductsByList {
  readonly #vectors: RowVectors;
  readonly #asking: RowsByList;
  readonly #score: Score;
  /** Size of the vector of a query. */
  readonly #bytes: number;
  /** The products that were computed last. */
  readonly #products: Float32Array;
  readonly #queriesAt: number;
  /** The vectors of the block, without padding. */
  readonly #block: Float32Array;

  /** @param mostRows Maximum number of rows of a block. */
  constructor({ vectors, queries, graph }: GraphSearch, asking: RowsByList, mostRows: number) {
    const { dim } = vectors;
    this.#vectors = vectors;
    this.#asking = asking;
    this.#bytes = paddedBytes(dim);
    // First the numbers of the queries that ask each list, then room for products.
    const productsAt = asking.rows.byteLength;
    this.#queriesAt = Math.ceil((2 * productsAt) / 64) * 64;
    const blockAt = this.#queriesAt + queries.length * this.#bytes;
    // The last vector of a block is read like one with padding, whose products with the padding of a query are zero.
    const nPages = Math.ceil((blockAt + mostRows * dim * 4 + this.#bytes) / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: nPages, maximum: nPages, shared: true });
    this.#score = vectorKernels(memory).dotProducts;
    this.#products = new Float32Array(memory.buffer, productsAt, asking.rows.length);
    this.#block = new Float32Array(memory.buffer, blockAt, mostRows * dim);
    const floats = new Float32Array(memory.buffer);
    const numberOf = new Int32Array(graph.count);
    for (const [number, query] of queries.entries()) {
      numberOf[query] = number;
      vectors.copy(query, floats, (this.#queriesAt + number * this.#bytes) / 4);
    }
    new Int32Array(memory.buffer).set(asking.rows.map((query) => numberOf[query] as number));
  }

  /** Reads the vectors of a block. @param rows Ascending. */
  read(rows: Int32Array): void {
    gatherInto(this.#vectors, rows, this.#block.subarray(0, rows.length * this.#vectors.dim));
  }

  /** The products of the row at a place of the block with the queries of a list, in their order; valid until the next call. */
  of(place: number, list: number): Float32Array {
    const { offsets } = this.#asking;
    const from = offsets[list] as number;
    const row = this.#block.byteOffset + place * this.#vectors.dim * 4;
    const n = (offsets[list + 1] as number) - from;
    this.#score(row, from * 4, n, this.#queriesAt, this.#bytes, this.#products.byteOffset);
    return this.#products;
  }
}
