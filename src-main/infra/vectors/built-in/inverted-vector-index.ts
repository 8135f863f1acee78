import type { VectorMatch } from '../../../core/ports/vector-engine.ts';
import { RowSet } from '../row-set.ts';
import type { TopRows } from '../top-rows.ts';
import type { ExactVectorIndex } from './exact-vector-index.ts';
import { type InvertedLists, nListsOf, probesFor, rowsOfList } from './inverted-lists.ts';
import { SharedVectors, sharedVectorMemory } from './shared-vectors.ts';
import type { VectorIndex } from './vector-index.ts';

/** Cost of skipping a row that is not allowed, as a share of the cost of comparing it. */
const SKIP_COST = 1 / 16;
/** Each further round probes this share of the planned lists, and at least this share of all lists. */
const [FURTHER_OF_PLAN, FURTHER_OF_ALL] = [1 / 4, 1 / 16];
/** The search stops after a round that improved at most this share of the answers. */
const MIN_GAIN = 0.01;

/**
 * Compares with the rows of the inverted lists whose centres are nearest to the query. The number of probes is planned when the lists are
 * built. A search whose last probes still improved the answers probes further lists; that happens for queries that are unlike all stored
 * vectors. When few rows are allowed, all of them are compared.
 */
export class InvertedVectorIndex implements VectorIndex {
  readonly #vectors: SharedVectors;
  readonly #exact: ExactVectorIndex;
  readonly #lists: InvertedLists;
  readonly #centres: SharedVectors;
  readonly #everyList: Int32Array;

  /** @param lists Lists of all rows of the vectors. */
  constructor(vectors: SharedVectors, exact: ExactVectorIndex, lists: InvertedLists) {
    this.#vectors = vectors;
    this.#exact = exact;
    this.#lists = lists;
    this.#everyList = Int32Array.from({ length: nListsOf(lists) }, (_, list) => list);
    this.#centres = new SharedVectors(lists.dim, sharedVectorMemory());
    this.#centres.extend(nListsOf(lists), (first, n) =>
      lists.centres.subarray(first * lists.dim, (first + n) * lists.dim),
    );
  }

  get count(): number {
    return this.#vectors.count;
  }

  async search(vector: Float32Array, k: number, allowed: RowSet): Promise<VectorMatch[]> {
    const nAllowed = allowed.count;
    const nLists = nListsOf(this.#lists);
    // The k-th nearest among a tenth of the rows is about as far away as the (10 k)-th nearest among all rows.
    const nProbes = probesFor(this.#lists, (k * this.count) / Math.max(1, nAllowed));
    const nFurther = Math.ceil(Math.max(nProbes * FURTHER_OF_PLAN, nLists * FURTHER_OF_ALL));
    const share = (nProbes + nFurther) / nLists;
    if (nAllowed <= nLists + share * (nAllowed + this.count * SKIP_COST)) {
      return this.#exact.search(vector, k, allowed);
    }
    const order = this.#nearestLists(vector);
    const wanted = Math.min(k, nAllowed);
    const top = this.#vectors.candidates(wanted);
    let nProbed = nProbes;
    this.#probe(vector, order.subarray(0, nProbed), allowed, top);
    while (nProbed < nLists) {
      const next = Math.min(nLists, nProbed + nFurther);
      const nEntered = this.#probe(vector, order.subarray(nProbed, next), allowed, top);
      nProbed = next;
      if (nEntered <= k * MIN_GAIN && top.isFull) break;
    }
    return this.#vectors.best(vector, top, wanted);
  }

  similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array> {
    return this.#exact.similarities(vector, rows);
  }

  close(): void {
    this.#centres.close();
  }

  #nearestLists(vector: Float32Array): Int32Array {
    const similarities = new Float32Array(this.#everyList.length);
    this.#centres.score(vector, this.#everyList, (first, scores) => similarities.set(scores, first));
    return this.#everyList.slice().sort((a, b) => (similarities[b] as number) - (similarities[a] as number) || a - b);
  }

  /**
   * Compares by ascending row rather than list by list: sequential memory access takes half the time.
   * @returns Number of rows that entered the best.
   */
  #probe(vector: Float32Array, lists: Int32Array, allowed: RowSet, top: TopRows): number {
    const probed = new RowSet(this.count);
    for (const list of lists) {
      for (const row of rowsOfList(this.#lists, list)) if (allowed.has(row)) probed.add(row);
    }
    return this.#vectors.offer(vector, probed.toRows(), top);
  }
}
