import type { VectorMatch } from '../../../core/ports/vector-engine.ts';
import { RowSet } from '../row-set.ts';
import { rowsOfList } from '../rows.ts';
import type { ExactVectorIndex } from './exact-vector-index.ts';
import { GraphWalk } from './graph-walk.ts';
import { type InvertedLists, nListsOf, probesFor } from './inverted-lists.ts';
import type { NeighborRows } from './shared-neighbors.ts';
import { SharedVectors, sharedVectorMemory } from './shared-vectors.ts';
import type { VectorIndex } from './vector-index.ts';

/** Cost of skipping a row that is not allowed, as a share of the cost of comparing it. */
const SKIP_COST = 1 / 16;
/** Each further round probes this share of the planned lists, and at least this share of all lists. */
const [FURTHER_OF_PLAN, FURTHER_OF_ALL] = [1 / 4, 1 / 16];
/** The search stops after a round that improved at most this share of the answers. */
const MIN_GAIN = 0.01;
/**
 * Rows that a walk starts from: of the lists up to a share of all lists, nearest first, every n-th row. Groups that no edge connects are
 * found by their entries, wherever they are; small groups only if their lists are near.
 */
const ENTRIES = [
  { upTo: 1 / 64, every: 1 },
  { upTo: 1 / 8, every: 8 },
  { upTo: 1, every: 32 },
] as const;
/** These rows as a share of all rows. */
const ENTRY_SHARE = 1 / 16;
/** Expected number of rows that a walk expands, fixed and relative to `k`, and the cost of one relative to comparing a row. */
const [EXPANDED, EXPANDED_OF_K, EXPANSION_COST] = [350, 2, 40];
/** Number of results that Explore asks for. */
const USUAL_K = 1000;

/**
 * Compares with the rows of the inverted lists whose centres are nearest to the query. The number of probes is planned when the lists are
 * built. A search whose last probes still improved the answers probes further lists; that happens for queries that are unlike all stored
 * vectors. Where it costs less, only some rows of the lists are compared, and a walk along the neighbour graph finds the others. When few
 * rows are allowed, all of them are compared.
 */
export class InvertedVectorIndex implements VectorIndex {
  readonly #vectors: SharedVectors;
  readonly #exact: ExactVectorIndex;
  readonly #lists: InvertedLists;
  readonly #graph: NeighborRows | undefined;
  readonly #expansionCost: number;
  readonly #centres: SharedVectors;
  readonly #everyList: Int32Array;

  /**
   * @param lists Lists of all rows of the vectors.
   * @param graph The neighbours of the same rows; without it, all rows of the probed lists are compared.
   * @param expansionCost See {@link EXPANSION_COST}; for tests, in which every search would cost less by lists.
   */
  constructor(
    vectors: SharedVectors,
    exact: ExactVectorIndex,
    lists: InvertedLists,
    graph?: NeighborRows,
    expansionCost = EXPANSION_COST,
  ) {
    this.#vectors = vectors;
    this.#exact = exact;
    this.#lists = lists;
    this.#graph = graph;
    this.#expansionCost = expansionCost;
    this.#everyList = Int32Array.from({ length: nListsOf(lists) }, (_, list) => list);
    this.#centres = new SharedVectors(lists.dim, sharedVectorMemory());
    this.#centres.extend(nListsOf(lists), (first, n) =>
      lists.centres.subarray(first * lists.dim, (first + n) * lists.dim),
    );
  }

  /** Whether usual searches compare only a part of the rows. */
  get comparesFew(): boolean {
    return this.#graph !== undefined && this.#walkCost(USUAL_K) < this.count / 2;
  }

  get count(): number {
    return this.#vectors.count;
  }

  async search(vector: Float32Array, k: number, allowed: RowSet): Promise<VectorMatch[]> {
    const nAllowed = allowed.count;
    const nLists = nListsOf(this.#lists);
    // The k-th nearest among a tenth of the rows is about as far away as the (10 k)-th nearest among all rows.
    const kOfAll = (k * this.count) / Math.max(1, nAllowed);
    const nProbes = probesFor(this.#lists, kOfAll);
    const nFurther = Math.ceil(Math.max(nProbes * FURTHER_OF_PLAN, nLists * FURTHER_OF_ALL));
    const share = (nProbes + nFurther) / nLists;
    const byLists = nLists + share * (nAllowed + this.count * SKIP_COST);
    if (this.#graph && this.#walkCost(kOfAll) < Math.min(byLists, nAllowed)) {
      return this.#walk(this.#graph, vector, { k, kOfAll, allowed });
    }
    if (nAllowed <= byLists) return this.#exact.search(vector, k, allowed);
    const order = this.#nearestLists(vector);
    const requested = Math.min(k, nAllowed);
    const top = this.#vectors.candidates(requested);
    const probe = (from: number, to: number): number =>
      this.#vectors.offer(vector, this.#rowsOf(order.subarray(from, to)).and(allowed).toRows(), top);
    let nProbed = nProbes;
    probe(0, nProbed);
    while (nProbed < nLists) {
      const next = Math.min(nLists, nProbed + nFurther);
      const nEntered = probe(nProbed, next);
      nProbed = next;
      if (nEntered <= k * MIN_GAIN && top.isFull) break;
    }
    return this.#vectors.best(vector, top, requested);
  }

  similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array> {
    return this.#exact.similarities(vector, rows);
  }

  /** See {@link NeighborRows.load}. */
  loadNeighbors(most: number): number {
    return this.#graph?.load(most) ?? 0;
  }

  close(): void {
    this.#centres.close();
    this.#graph?.close();
  }

  #nearestLists(vector: Float32Array): Int32Array {
    const similarities = new Float32Array(this.#everyList.length);
    this.#centres.score(vector, this.#everyList, (first, scores) => similarities.set(scores, first));
    return this.#everyList.slice().sort((a, b) => (similarities[b] as number) - (similarities[a] as number) || a - b);
  }

  #walkCost(k: number): number {
    return nListsOf(this.#lists) + this.count * ENTRY_SHARE + (EXPANDED + EXPANDED_OF_K * k) * this.#expansionCost;
  }

  #walk(
    graph: NeighborRows,
    vector: Float32Array,
    { k, kOfAll, allowed }: { k: number; kOfAll: number; allowed: RowSet },
  ): Promise<VectorMatch[]> | VectorMatch[] {
    const order = this.#nearestLists(vector);
    let [entries, from] = [new RowSet(this.count), 0];
    for (const { upTo, every } of ENTRIES) {
      const to = Math.ceil(order.length * upTo);
      entries = entries.or(this.#rowsOf(order.subarray(from, to), every));
      from = to;
    }
    const top = this.#vectors.candidates(k);
    new GraphWalk({ vectors: this.#vectors, graph, vector, entries, allowed, top, k, kOfAll }).run();
    // Too few rows are reached where the graph is damaged.
    return top.isFull ? this.#vectors.best(vector, top, k) : this.#exact.search(vector, k, allowed);
  }

  /** Returns every n-th row of lists, as a set: comparing by ascending row rather than list by list takes half the time. */
  #rowsOf(lists: Int32Array, every = 1): RowSet {
    const rows = new RowSet(this.count);
    for (const list of lists) {
      const ofList = rowsOfList(this.#lists, list);
      for (let at = 0; at < ofList.length; at += every) rows.add(ofList[at] as number);
    }
    return rows;
  }
}
