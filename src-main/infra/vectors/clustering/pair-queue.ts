import { sortHighestFirst } from '../highest-first.ts';
import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { PairHeap } from './pair-heap.ts';

/**
 * A priority queue of scored pairs. The pairs of rows and their neighbours are known from the start and sorted once; later pairs go to a
 * heap. `pop` stores the pair in `similarity`, `a` and `b`.
 */
export class PairQueue {
  similarity = 0;
  a = -1;
  b = -1;
  readonly #graph: Pick<NeighborGraph, 'k' | 'rows'>;
  /** Indexes into the graph's lists. */
  readonly #edges: Int32Array;
  readonly #scores: Float32Array;
  #nTaken = 0;
  readonly #later = new PairHeap();

  /** @param rows Every two of them that the graph connects are queued, unless their similarity is below `lowest`. */
  constructor(graph: NeighborGraph, rows: Int32Array, lowest: number) {
    this.#graph = graph;
    this.#edges = edgesBetween(graph, rows, lowest);
    this.#scores = Float32Array.from(this.#edges, (edge) => graph.similarities[edge] as number);
    sortHighestFirst(this.#edges, this.#scores);
  }

  /** Score of the best pair, -Infinity when there is none. */
  peek(): number {
    return Math.max(this.#scores[this.#nTaken] ?? Number.NEGATIVE_INFINITY, this.#later.peek());
  }

  push(similarity: number, a: number, b: number): void {
    this.#later.push(similarity, a, b);
  }

  /** @returns False when the queue is empty. */
  pop(): boolean {
    const first = this.#scores[this.#nTaken] ?? Number.NEGATIVE_INFINITY;
    if (this.#later.peek() > first) {
      this.#later.pop();
      ({ similarity: this.similarity, a: this.a, b: this.b } = this.#later);
      return true;
    }
    if (this.#nTaken === this.#edges.length) return false;
    const { k, rows } = this.#graph;
    const edge = this.#edges[this.#nTaken] as number;
    const [row, other] = [Math.floor(edge / k), rows[edge] as number];
    this.#nTaken += 1;
    this.similarity = first;
    this.a = Math.min(row, other);
    this.b = Math.max(row, other);
    return true;
  }
}

/** One index into the graph's lists for each pair of rows that the graph connects. */
function edgesBetween({ count, k, rows: neighbors, similarities }: NeighborGraph, rows: Int32Array, lowest: number) {
  const takesPart = new Uint8Array(count);
  for (const row of rows) takesPart[row] = 1;
  const edges = new Int32Array(rows.length * k);
  let n = 0;
  for (const row of rows) {
    for (let at = row * k; at < (row + 1) * k; at += 1) {
      const other = neighbors[at] as number;
      if (other < 0 || takesPart[other] === 0 || (similarities[at] as number) < lowest) continue;
      // For a pair that is in both lists, the lower row's entry is enough.
      if (other < row && holds(neighbors, other * k, (other + 1) * k, row)) continue;
      edges[n] = at;
      n += 1;
    }
  }
  return edges.slice(0, n);
}

/** Whether a list contains a row. Creates no view of the list, because it is called millions of times. */
function holds(neighbors: Int32Array, from: number, to: number, row: number): boolean {
  for (let at = from; at < to; at += 1) if (neighbors[at] === row) return true;
  return false;
}
