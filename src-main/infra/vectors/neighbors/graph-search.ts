import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { RowGatherer } from '../row-vectors.ts';
import { markRows } from '../rows.ts';
import { ANYTHING, type BothWays, barOf, EntryBars, UNREACHABLE } from './entry-bars.ts';
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

/** Maximum number of products in memory at once: 16 MB. */
const BLOCK_FLOATS = 4_194_304;
const BLOCK_ROWS = 4096;

/**
 * Compares queries with candidates block by block, and enters candidates into the queries' lists. A query also enters the full lists of
 * other queries where it is nearer. In addition to the vectors, only one block of both is in memory.
 */
export class BlockSearch {
  readonly products: InnerProducts;
  readonly #search: GraphSearch;
  readonly #bars: EntryBars;
  readonly #isCandidate: Uint8Array;
  readonly #asking: RowGatherer;
  readonly #answering: RowGatherer;

  private constructor(search: GraphSearch, products: InnerProducts, bothWays: BothWays | undefined) {
    const { graph, vectors, candidates } = search;
    this.#search = search;
    this.#bars = EntryBars.ofCandidates(search, bothWays);
    this.#asking = new RowGatherer(vectors);
    this.#answering = new RowGatherer(vectors);
    this.products = products;
    this.#isCandidate = markRows(graph.count, candidates);
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
    return this.#eachBlock(asking, answering, (block) => {
      this.#take(block, answering);
      onAnswered?.(block.length);
    });
  }

  /** Compares rows with each other, and fills the lists of those whose list is not full. */
  fill(asking: Int32Array, answering: Int32Array): Promise<void> {
    return this.#eachBlock(asking, answering, (block) => {
      for (let nth = 0; nth < block.length; nth += 1) this.#fill(block, nth, answering);
    });
  }

  close(): Promise<void> {
    return this.products.close();
  }

  async #eachBlock(asking: Int32Array, answering: Int32Array, use: (block: Int32Array) => void): Promise<void> {
    if (answering.length === 0 || asking.length === 0) return;
    const { dim } = this.#search.vectors;
    const answers = this.#answering.gather(answering);
    const isSame = asking.length === answering.length && asking.every((row, at) => row === answering[at]);
    const size = Math.min(BLOCK_ROWS, Math.max(1, Math.floor(BLOCK_FLOATS / answering.length)));
    for (let first = 0; first < asking.length; first += size) {
      this.#search.signal?.throwIfAborted();
      const block = asking.subarray(first, first + size);
      const asked = isSame ? answers.subarray(first * dim, (first + block.length) * dim) : this.#asking.gather(block);
      await this.products.of(asked, answers);
      use(block);
    }
  }

  #take(asking: Int32Array, answering: Int32Array): void {
    const n = answering.length;
    // Lists that are not full are filled first, so that others can enter them.
    const isFilled = asking.map((_, nth) => this.#fill(asking, nth, answering));
    const answerBars = this.products.bars;
    for (let at = 0; at < n; at += 1) answerBars[at] = this.#bars.of(answering[at] as number);
    for (let nth = 0; nth < asking.length; nth += 1) {
      const query = asking[nth] as number;
      const mayEnter = this.#isCandidate[query] === 1;
      let bar = isFilled[nth] === 1 ? UNREACHABLE : barOf(this.#search.graph, query);
      for (const at of this.products.from(nth, bar)) {
        const similarity = this.products.at(nth, at);
        const enters = similarity >= (answerBars[at] as number);
        if (similarity < bar && !enters) continue;
        const other = answering[at] as number;
        if (other === query) continue;
        if (similarity >= bar) bar = this.#bars.offer(query, other, similarity);
        if (enters && mayEnter)
          answerBars[at] = Math.max(answerBars[at] as number, this.#bars.offer(other, query, similarity));
      }
    }
  }

  /** Enters the best candidates into a query's list unless the list is full. @returns 1 if it did. */
  #fill(asking: Int32Array, nth: number, answering: Int32Array): number {
    const { graph } = this.#search;
    const query = asking[nth] as number;
    if (barOf(graph, query) > ANYTHING) return 0;
    // A query can be among its candidates.
    const { products, places } = this.products.best(nth, graph.k + 1);
    const { k, rows, similarities } = graph;
    // Written to an empty list; a list with entries may have some of them already.
    let at = query * k;
    const isEmpty = (rows[at] as number) < 0;
    for (let best = 0; best < places.length; best += 1) {
      const other = answering[places[best] as number] as number;
      if (other === query) continue;
      if (!isEmpty) offerNeighbor(graph, query, other, products[best] as number);
      else if (at < (query + 1) * k) {
        rows[at] = other;
        similarities[at] = products[best] as number;
        at += 1;
      }
    }
    this.#bars.raise(query);
    return 1;
  }
}
