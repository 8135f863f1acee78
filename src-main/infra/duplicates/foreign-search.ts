import { type InvertedLists, nListsOf, probesFor } from '../vectors/built-in/inverted-lists.ts';
import { searchByLists } from '../vectors/built-in/list-graph.ts';
import { searchExactly } from '../vectors/neighbors/exact-graph.ts';
import type { GraphSearch } from '../vectors/neighbors/graph-search.ts';
import { emptyGraph } from '../vectors/neighbors/neighbor-graph.ts';

/** Vectors that are looked for together. */
const MOST_QUERIES = 16_384;

export interface SearchedVectors {
  count: number;
  dim: number;
  /** Writes all vectors into the target. */
  read: (target: Float32Array<ArrayBuffer>) => void;
}

/** Looks for the rows that are nearest to vectors that are no rows, by the search that makes neighbour graphs. */
export class ForeignSearch {
  readonly count: number;
  readonly dim: number;
  /** All rows, and room for queries behind them. */
  readonly #vectors: Float32Array<ArrayBuffer>;
  readonly #lists: InvertedLists | undefined;
  readonly #threads: number;
  readonly #signal: AbortSignal | undefined;
  #nQueries = 0;

  constructor(
    { count, dim, read }: SearchedVectors,
    options: { lists?: InvertedLists | undefined; threads: number; signal?: AbortSignal | undefined },
  ) {
    const { lists, threads, signal } = options;
    this.count = count;
    this.dim = dim;
    this.#vectors = new Float32Array((count + MOST_QUERIES) * dim);
    read(this.#vectors.subarray(0, count * dim));
    this.#lists = lists && nListsOf(lists) > 0 && lists.count === count ? lists : undefined;
    this.#threads = threads;
    this.#signal = signal;
  }

  get vectors(): Float32Array {
    return this.#vectors;
  }

  get isFull(): boolean {
    return this.#nQueries === MOST_QUERIES;
  }

  vector(row: number): Float32Array {
    return this.#vectors.subarray(row * this.dim, (row + 1) * this.dim);
  }

  /** Room for the next query, to be filled. */
  nextQuery(): Float32Array {
    const row = this.count + this.#nQueries;
    this.#nQueries += 1;
    return this.vector(row);
  }

  /** Finds the `k` nearest of some rows, ascending, for each query, tells them best first, and forgets the queries. */
  async run(
    candidates: Int32Array,
    k: number,
    use: (query: number, row: number, similarity: number) => void,
  ): Promise<void> {
    const n = this.#nQueries;
    this.#nQueries = 0;
    if (n === 0 || candidates.length === 0) return;
    const graph = emptyGraph(this.count + n, k);
    const search: GraphSearch = {
      graph,
      vectors: this.#vectors,
      dim: this.dim,
      queries: Int32Array.from({ length: n }, (_, nth) => this.count + nth),
      candidates,
      threads: this.#threads,
      signal: this.#signal,
    };
    const lists = this.#lists;
    if (lists) await searchByLists(search, { lists, nProbes: probesFor(lists, k) });
    else await searchExactly(search);
    for (let query = 0; query < n; query += 1) {
      for (let at = (this.count + query) * k; at < (this.count + query + 1) * k; at += 1) {
        const row = graph.rows[at] as number;
        if (row >= 0) use(query, row, graph.similarities[at] as number);
      }
    }
  }
}
