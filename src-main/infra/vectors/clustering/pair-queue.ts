import { freeMemory } from '../free-memory.ts';
import { sortHighestFirst } from '../highest-first.ts';
import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import type { Dendrogram } from './dendrogram.ts';
import { PairHeap } from './pair-heap.ts';

/** Number of pairs of rows that are looked up together: the processor then waits for many places in memory at the same time. */
const LOOKED_UP = 4096;

/**
 * A priority queue of scored pairs. Pairs of rows and their neighbours are sorted range by range of similarities; other pairs go to a heap.
 * `pop` stores the pair in `similarity`, `a` and `b`.
 */
export class PairQueue {
  similarity = 0;
  a = -1;
  b = -1;
  readonly #graph: NeighborGraph;
  readonly #rows: Int32Array;
  readonly #groups: Pick<Dendrogram, 'groupOf'>;
  /** By row: 1 if it is in the queue. */
  readonly #takesPart: Uint8Array;
  /** Indexes into the graph's lists, the most similar pairs first, and the least similarity of the pairs. */
  #edges = new Int32Array();
  #lowest = Number.POSITIVE_INFINITY;
  #nLookedUp = 0;
  /** The next pairs: the score, and the lower and higher row of each. */
  readonly #nextScores = new Float32Array(LOOKED_UP);
  readonly #as = new Int32Array(LOOKED_UP);
  readonly #bs = new Int32Array(LOOKED_UP);
  #n = 0;
  #nTaken = 0;
  readonly #later = new PairHeap();

  /**
   * @param rows Rows whose pairs are queued.
   * @param groups Pairs of rows that are in one group by then are left out.
   */
  constructor(graph: NeighborGraph, rows: Int32Array, groups: Pick<Dendrogram, 'groupOf'>) {
    this.#graph = graph;
    this.#rows = rows;
    this.#groups = groups;
    this.#takesPart = new Uint8Array(graph.count);
    for (const row of rows) this.#takesPart[row] = 1;
  }

  /** Queues every two rows that the graph connects and whose similarity is at least `lowest`. Those queued before must be taken. */
  queueRows(lowest: number): void {
    freeMemory(this.#edges);
    this.#edges = this.#edgesFrom(lowest);
    this.#lowest = lowest;
    const { similarities } = this.#graph;
    const scores = new Float32Array(this.#edges.length);
    for (let at = 0; at < scores.length; at += 1) scores[at] = similarities[this.#edges[at] as number] as number;
    sortHighestFirst(this.#edges, scores);
    freeMemory(scores);
    this.#nLookedUp = 0;
    this.#lookUp();
  }

  /** Score of the best pair, -Infinity when there is none. */
  peek(): number {
    return Math.max(this.#firstScore(), this.#later.peek());
  }

  push(similarity: number, a: number, b: number): void {
    this.#later.push(similarity, a, b);
  }

  /** @returns False when the queue is empty. */
  pop(): boolean {
    const first = this.#firstScore();
    if (this.#later.peek() > first) {
      this.#later.pop();
      ({ similarity: this.similarity, a: this.a, b: this.b } = this.#later);
      return true;
    }
    if (this.#nTaken === this.#n) return false;
    this.similarity = first;
    this.a = this.#as[this.#nTaken] as number;
    this.b = this.#bs[this.#nTaken] as number;
    this.#nTaken += 1;
    if (this.#nTaken === this.#n) this.#lookUp();
    return true;
  }

  /** Score of the best pair of rows. */
  #firstScore(): number {
    return this.#nTaken < this.#n ? (this.#nextScores[this.#nTaken] as number) : Number.NEGATIVE_INFINITY;
  }

  #lookUp(): void {
    const { k, rows, similarities } = this.#graph;
    this.#nTaken = 0;
    this.#n = 0;
    while (this.#n === 0 && this.#nLookedUp < this.#edges.length) {
      const end = Math.min(this.#edges.length, this.#nLookedUp + LOOKED_UP);
      for (let place = this.#nLookedUp; place < end; place += 1) {
        const edge = this.#edges[place] as number;
        const [row, other] = [Math.floor(edge / k), rows[edge] as number];
        if (this.#groups.groupOf(row) === this.#groups.groupOf(other)) continue;
        this.#nextScores[this.#n] = similarities[edge] as number;
        this.#as[this.#n] = Math.min(row, other);
        this.#bs[this.#n] = Math.max(row, other);
        this.#n += 1;
      }
      this.#nLookedUp = end;
    }
  }

  /** One index into the graph's lists for each pair of rows that was not queued before. */
  #edgesFrom(lowest: number): Int32Array<ArrayBuffer> {
    const { k, rows: neighbors, similarities } = this.#graph;
    // Pages that stay empty take no memory.
    const edges = new Int32Array(this.#rows.length * k);
    let n = 0;
    for (const row of this.#rows) {
      for (let at = row * k; at < (row + 1) * k; at += 1) {
        const other = neighbors[at] as number;
        const similarity = similarities[at] as number;
        // Lists are sorted.
        if (other < 0 || similarity < lowest) break;
        if (similarity >= this.#lowest || this.#takesPart[other] === 0) continue;
        if (this.#groups.groupOf(row) === this.#groups.groupOf(other)) continue;
        // For a pair that is in both lists, the lower row's entry is enough.
        if (other < row && holds(neighbors, other * k, (other + 1) * k, row)) continue;
        edges[n] = at;
        n += 1;
      }
    }
    return edges.subarray(0, n);
  }
}

/** Whether a list contains a row. Creates no view of the list, because it is called millions of times. */
function holds(neighbors: Int32Array, from: number, to: number, row: number): boolean {
  for (let at = from; at < to; at += 1) if (neighbors[at] === row) return true;
  return false;
}
