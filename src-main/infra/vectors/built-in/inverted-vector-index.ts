import type { RowFilter, VectorIndex, VectorMatch } from '../../../core/ports/vector-index.ts';
import { RowSet } from '../row-set.ts';
import type { TopRows } from '../top-rows.ts';
import type { ExactVectorIndex } from './exact-vector-index.ts';
import { type InvertedLists, nListsOf, probesFor, rowsOfList } from './inverted-lists.ts';
import { SharedVectors, sharedVectorMemory } from './shared-vectors.ts';

/** What it costs to find out that a row is not allowed, beside comparing with it. */
const PASSING_OVER = 1 / 16;
/** Each further round probes this share of what was planned, and at least that of all lists. */
const [FURTHER_OF_PLAN, FURTHER_OF_ALL] = [1 / 4, 1 / 16];
/** Rounds end when the last has brought no more than this share of the answers. */
const LATECOMERS = 0.01;

/**
 * Compares with the rows of the inverted lists whose centres are nearest to what is searched for. How many lists that are is planned when
 * the lists are built; a search that still finds answers in the last of them goes on, as one for a vector that is unlike all stored ones
 * does. Where few rows are allowed, these are compared exactly.
 */
export class InvertedVectorIndex implements VectorIndex {
  readonly #vectors: SharedVectors;
  readonly #exact: ExactVectorIndex;
  readonly #lists: InvertedLists;
  readonly #centres: SharedVectors;
  readonly #everyList: Int32Array;

  /** @param lists Of all rows of the vectors. */
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

  async search(vector: Float32Array, k: number, allow: RowFilter): Promise<VectorMatch[]> {
    const nAllowed = allow.count;
    const nLists = nListsOf(this.#lists);
    // Of k answers among a tenth of the rows, the last is as far as the last of ten times as many among all.
    const nProbes = probesFor(this.#lists, (k * this.count) / Math.max(1, nAllowed));
    const nFurther = Math.ceil(Math.max(nProbes * FURTHER_OF_PLAN, nLists * FURTHER_OF_ALL));
    const share = (nProbes + nFurther) / nLists;
    if (nAllowed <= nLists + share * (nAllowed + this.count * PASSING_OVER)) {
      return this.#exact.search(vector, k, allow);
    }
    const order = this.#nearestLists(vector);
    const wanted = Math.min(k, nAllowed);
    const top = this.#vectors.candidates(wanted);
    let nProbed = nProbes;
    this.#probe(vector, order.subarray(0, nProbed), allow, top);
    while (nProbed < nLists) {
      const next = Math.min(nLists, nProbed + nFurther);
      const nEntered = this.#probe(vector, order.subarray(nProbed, next), allow, top);
      nProbed = next;
      if (nEntered <= k * LATECOMERS && top.isFull) break;
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
   * In order of row, not of list: memory that is read forwards is read in half the time.
   * @returns How many rows of the lists came among the best.
   */
  #probe(vector: Float32Array, lists: Int32Array, allow: RowFilter, top: TopRows): number {
    const probed = new RowSet(this.count);
    for (const list of lists) {
      for (const row of rowsOfList(this.#lists, list)) if (allow.has(row)) probed.add(row);
    }
    return this.#vectors.offer(vector, probed.toRows(), top);
  }
}
