import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { RowGatherer } from '../row-vectors.ts';
import { InnerProducts } from './inner-products.ts';
import { type NeighborGraph, offerNeighbor } from './neighbor-graph.ts';

export interface GraphSearch {
  /** The lists of `queries` are filled with neighbours out of `candidates`. */
  graph: NeighborGraph;
  vectors: RowVectors;
  /** Row numbers, ascending. */
  queries: Int32Array;
  candidates: Int32Array;
  threads: number;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Specifies how queries enter the lists of the candidates that they are compared with. */
export interface BothWays {
  /**
   * Number of rows among which the candidates were searched before. A list that is shorter than possible has lost entries, which far rows
   * must not replace.
   */
  known: number;
}

/** Maximum number of products in memory at once: 16 MB. */
const BLOCK_FLOATS = 4_194_304;
const BLOCK_ROWS = 4096;
/** Bounds outside the inner products of unit vectors: none is so high or so low. */
const [UNREACHABLE, ANYTHING] = [2, -2];

/**
 * Compares queries with candidates block by block, and enters candidates into the queries' lists. A query also enters the full lists of
 * other queries where it is nearer. In addition to the vectors, only one block of both is in memory.
 */
export class BlockSearch {
  readonly products: InnerProducts;
  readonly #search: GraphSearch;
  /** Similarity that a query must have to enter the list of each row. */
  readonly #bars: Float32Array;
  readonly #isCandidate: Uint8Array;
  readonly #best: BestScores;
  readonly #asking: RowGatherer;
  readonly #answering: RowGatherer;

  private constructor(search: GraphSearch, products: InnerProducts, bothWays: BothWays | undefined) {
    const { graph, vectors, candidates } = search;
    this.#search = search;
    this.#asking = new RowGatherer(vectors);
    this.#answering = new RowGatherer(vectors);
    this.products = products;
    // A query can be among its candidates.
    this.#best = new BestScores(graph.k + 1);
    this.#isCandidate = new Uint8Array(graph.count);
    this.#bars = new Float32Array(graph.count).fill(UNREACHABLE);
    for (const row of candidates) {
      this.#isCandidate[row] = 1;
      if (bothWays) this.#bars[row] = barOfKnown(graph, row, bothWays.known);
    }
  }

  /** @param bothWays Queries enter the lists of all candidates, including candidates that are not queries and lists that are not full. */
  static async open(search: GraphSearch, bothWays?: BothWays): Promise<BlockSearch> {
    return new BlockSearch(search, await InnerProducts.open(search.vectors.dim, search.threads), bothWays);
  }

  /**
   * Compares each query with each candidate; both lists are ascending.
   * @param onAnswered Called with the number of finished queries of a block.
   */
  compare(asking: Int32Array, answering: Int32Array, onAnswered?: (nQueries: number) => void): Promise<void> {
    return this.#eachBlock(asking, answering, (block, products) => {
      this.#take(block, answering, products);
      onAnswered?.(block.length);
    });
  }

  /** Compares rows with each other, and fills the lists of those whose list is not full. */
  fill(asking: Int32Array, answering: Int32Array): Promise<void> {
    return this.#eachBlock(asking, answering, (block, products) => {
      for (let nth = 0; nth < block.length; nth += 1) {
        this.#fill(block[nth] as number, answering, products, nth * answering.length);
      }
    });
  }

  close(): Promise<void> {
    return this.products.close();
  }

  async #eachBlock(
    asking: Int32Array,
    answering: Int32Array,
    use: (block: Int32Array, products: Float32Array) => void,
  ): Promise<void> {
    if (answering.length === 0 || asking.length === 0) return;
    const { dim } = this.#search.vectors;
    const answers = this.#answering.gather(answering);
    const isSame = asking.length === answering.length && asking.every((row, at) => row === answering[at]);
    const size = Math.min(BLOCK_ROWS, Math.max(1, Math.floor(BLOCK_FLOATS / answering.length)));
    for (let first = 0; first < asking.length; first += size) {
      this.#search.signal?.throwIfAborted();
      const block = asking.subarray(first, first + size);
      const asked = isSame ? answers.subarray(first * dim, (first + block.length) * dim) : this.#asking.gather(block);
      use(block, await this.products.of(asked, answers));
    }
  }

  #take(asking: Int32Array, answering: Int32Array, products: Float32Array): void {
    const n = answering.length;
    // Lists that are not full are filled first, so that others can enter them.
    const isFilled = asking.map((query, nth) => this.#fill(query, answering, products, nth * n));
    const answerBars = new Float32Array(n);
    for (let at = 0; at < n; at += 1) answerBars[at] = this.#bars[answering[at] as number] as number;
    for (let nth = 0; nth < asking.length; nth += 1) {
      const query = asking[nth] as number;
      const mayEnter = this.#isCandidate[query] === 1;
      let bar = isFilled[nth] === 1 ? UNREACHABLE : barOf(this.#search.graph, query);
      for (let at = 0; at < n; at += 1) {
        const similarity = products[nth * n + at] as number;
        const enters = similarity >= (answerBars[at] as number);
        if (similarity < bar && !enters) continue;
        const other = answering[at] as number;
        if (other === query) continue;
        if (similarity >= bar) bar = this.#offer(query, other, similarity);
        if (enters && mayEnter)
          answerBars[at] = Math.max(answerBars[at] as number, this.#offer(other, query, similarity));
      }
    }
  }

  /** Enters the best candidates into a query's list unless the list is full. @returns 1 if it did. */
  #fill(query: number, answering: Int32Array, products: Float32Array, from: number): number {
    const { graph } = this.#search;
    if (barOf(graph, query) > ANYTHING) return 0;
    const best = this.#best;
    best.take(products, from, answering.length);
    const { k, rows, similarities } = graph;
    // Written to an empty list; a list with entries may have some of them already.
    let at = query * k;
    const isEmpty = (rows[at] as number) < 0;
    for (let nth = 0; nth < best.n; nth += 1) {
      const other = answering[best.places[nth] as number] as number;
      if (other === query) continue;
      if (!isEmpty) offerNeighbor(graph, query, other, best.scores[nth] as number);
      else if (at < (query + 1) * k) {
        rows[at] = other;
        similarities[at] = best.scores[nth] as number;
        at += 1;
      }
    }
    const bar = barOf(graph, query);
    if (bar > ANYTHING) this.#bars[query] = bar;
    return 1;
  }

  /** @returns The similarity that others must now exceed to enter the row's list. */
  #offer(row: number, neighbor: number, similarity: number): number {
    const { graph } = this.#search;
    offerNeighbor(graph, row, neighbor, similarity);
    const bar = barOf(graph, row);
    if (bar > ANYTHING) this.#bars[row] = bar;
    return bar;
  }
}

/** The best of many scores, best first, equal ones in their order. Offering each of them to a list would take five times as long. */
class BestScores {
  readonly scores: Float32Array;
  readonly places: Int32Array;
  n = 0;

  constructor(k: number) {
    this.scores = new Float32Array(k);
    this.places = new Int32Array(k);
  }

  take(all: Float32Array, from: number, length: number): void {
    const { scores, places } = this;
    const k = scores.length;
    let n = 0;
    let bar = Number.NEGATIVE_INFINITY;
    for (let place = 0; place < length; place += 1) {
      const score = all[from + place] as number;
      if (score <= bar) continue;
      if (n < k) n += 1;
      let at = n - 1;
      for (; at > 0 && (scores[at - 1] as number) < score; at -= 1) {
        scores[at] = scores[at - 1] as number;
        places[at] = places[at - 1] as number;
      }
      scores[at] = score;
      places[at] = place;
      if (n === k) bar = scores[k - 1] as number;
    }
    this.n = n;
  }
}

/** Returns the similarity that a row must exceed to enter another row's list. */
export function barOf({ k, rows, similarities }: NeighborGraph, row: number): number {
  const last = (row + 1) * k - 1;
  return (rows[last] as number) < 0 ? ANYTHING : (similarities[last] as number);
}

/**
 * Returns the similarity that a row must exceed to enter another row's list, which may be shorter than possible because it has lost
 * entries.
 */
function barOfKnown({ k, rows, similarities }: NeighborGraph, row: number, known: number): number {
  let length = k;
  while (length > 0 && (rows[row * k + length - 1] as number) < 0) length -= 1;
  const hasAll = length < k && length >= known - 1;
  return length === 0 || hasAll ? ANYTHING : (similarities[row * k + length - 1] as number);
}
