import { EntryBars } from '../neighbors/entry-bars.ts';
import type { GraphSearch } from '../neighbors/graph-search.ts';
import { emptyGraph, offerNeighbor } from '../neighbors/neighbor-graph.ts';
import { PairwiseProducts } from './pairwise-products.ts';

/** Number of rows between two checks of the abort signal. */
const ROWS_PER_STEP = 4096;

/** Neighbours of each row, and rows that have it as a neighbour; k per row, best first, -1 when there are fewer. */
interface Acquaintances {
  lists: Int32Array;
  reverse: Int32Array;
}

/**
 * Improves a neighbour graph in rounds: neighbours of one row are likely to be neighbours of each other (NN-descent: Dong, Moses & Li
 * 2011). Each round compares the neighbours of a row, and the rows that have it as a neighbour, with each other, except pairs of an earlier
 * round.
 */
export class GraphRefiner {
  readonly #search: GraphSearch;
  readonly #order: Int32Array;
  readonly #products: PairwiseProducts;
  /** By row: minimum similarity to enter its list. */
  readonly #bars: EntryBars;
  /** Rows that are compared with each other. */
  readonly #joined: Int32Array;
  /** By row: the row for which it was last seen, as a candidate known before and as a candidate that is compared now. */
  readonly #previousOf: Int32Array;
  readonly #joinedFor: Int32Array;
  #previous: Acquaintances | undefined;

  /** @param order All rows, with near rows one after the other because they share neighbours. */
  constructor(search: GraphSearch, order: Int32Array) {
    const { graph, vectors } = search;
    this.#search = search;
    this.#order = order;
    this.#products = new PairwiseProducts(vectors.dim, 2 * graph.k);
    this.#bars = new EntryBars(graph);
    this.#joined = new Int32Array(2 * graph.k);
    this.#previousOf = new Int32Array(graph.count);
    this.#joinedFor = new Int32Array(graph.count);
  }

  /** @throws the signal's reason when aborted. */
  round(onProgress?: (fraction: number) => void): void {
    const known = acquaintancesOf(this.#search);
    this.#previousOf.fill(-1);
    this.#joinedFor.fill(-1);
    for (let nth = 0; nth < this.#order.length; nth += 1) {
      if (nth % ROWS_PER_STEP === 0) {
        this.#search.signal?.throwIfAborted();
        onProgress?.(nth / this.#order.length);
      }
      this.#joinAround(this.#order[nth] as number, known);
    }
    this.#previous = known;
  }

  #joinAround(row: number, known: Acquaintances): void {
    const nNew = this.#join(row, known, 0, true);
    if (nNew === 0) return;
    const n = this.#join(row, known, nNew, false);
    const { vectors } = this.#search;
    for (let at = 0; at < n; at += 1) this.#products.put(at, vectors, this.#joined[at] as number);
    for (let at = 0; at < nNew; at += 1) this.#offer(at, n);
  }

  /**
   * Appends the neighbours of a row, and rows that have it as a neighbour, after the first `n` joined rows: only the new ones, or all that
   * remain.
   * @returns Number of joined rows.
   */
  #join(row: number, known: Acquaintances, n: number, onlyNew: boolean): number {
    const { k } = this.#search.graph;
    let nJoined = n;
    if (onlyNew) this.#markPrevious(row);
    for (const rows of [known.lists, known.reverse]) {
      for (let at = row * k; at < (row + 1) * k; at += 1) {
        const other = rows[at] as number;
        if (other < 0) break;
        if (this.#joinedFor[other] === row || (onlyNew && this.#previousOf[other] === row)) continue;
        this.#joinedFor[other] = row;
        this.#joined[nJoined] = other;
        nJoined += 1;
      }
    }
    return nJoined;
  }

  #markPrevious(row: number): void {
    if (!this.#previous) return;
    const { k } = this.#search.graph;
    const { lists, reverse } = this.#previous;
    for (let at = row * k; at < (row + 1) * k; at += 1) {
      const [one, other] = [lists[at] as number, reverse[at] as number];
      if (one >= 0) this.#previousOf[one] = row;
      if (other >= 0) this.#previousOf[other] = row;
    }
  }

  /** Offers the joined row at an index and all later ones to each other. */
  #offer(place: number, n: number): void {
    const similarities = this.#products.withLater(place, n);
    const row = this.#joined[place] as number;
    let bar = this.#bars.of(row);
    for (let later = place + 1; later < n; later += 1) {
      const similarity = similarities[later - place - 1] as number;
      const other = this.#joined[later] as number;
      if (similarity >= bar) bar = this.#bars.offer(row, other, similarity);
      if (similarity >= this.#bars.of(other)) this.#bars.offer(other, row, similarity);
    }
  }
}

function acquaintancesOf({ graph, candidates }: GraphSearch): Acquaintances {
  const { k, rows, similarities } = graph;
  const reverse = emptyGraph(graph.count, k);
  for (const row of candidates) {
    for (let at = row * k; at < (row + 1) * k; at += 1) {
      const neighbor = rows[at] as number;
      if (neighbor < 0) break;
      offerNeighbor(reverse, neighbor, row, similarities[at] as number);
    }
  }
  return { lists: rows.slice(), reverse: reverse.rows };
}
