import { sortHighestFirst } from '../highest-first.ts';
import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { PairHeap } from './pair-heap.ts';

/**
 * A priority queue of scored pairs: pairs of rows that the graph connects, which are sorted once, and others in a heap. `pop` stores the pair
 * in `similarity`, `a` and `b`.
 */
export class PairQueue {
  similarity = 0;
  a = -1;
  b = -1;
  readonly #graph: NeighborGraph;
  /** Indexes into the graph's lists, the most similar pairs first. */
  #edges: Int32Array = new Int32Array();
  #nTaken = 0;
  #scores = new Float32Array();
  readonly #others = new PairHeap();

  constructor(graph: NeighborGraph) {
    this.#graph = graph;
  }

  /** Queues pairs of rows; those queued before must be taken. @param edges Indexes into the graph's lists, which are sorted in place. */
  queueEdges(edges: Int32Array): void {
    const { similarities } = this.#graph;
    if (this.#scores.length < edges.length) this.#scores = new Float32Array(edges.length);
    for (let at = 0; at < edges.length; at += 1) this.#scores[at] = similarities[edges[at] as number] as number;
    if (edges.length > 1) sortHighestFirst(edges, this.#scores.subarray(0, edges.length));
    this.#edges = edges;
    this.#nTaken = 0;
  }

  push(similarity: number, a: number, b: number): void {
    this.#others.push(similarity, a, b);
  }

  /** @returns False when the queue is empty. */
  pop(): boolean {
    const { k, rows } = this.#graph;
    const areLeft = this.#nTaken < this.#edges.length;
    const first = areLeft ? (this.#scores[this.#nTaken] as number) : Number.NEGATIVE_INFINITY;
    if (this.#others.peek() > first) {
      this.#others.pop();
      ({ similarity: this.similarity, a: this.a, b: this.b } = this.#others);
      return true;
    }
    if (!areLeft) return false;
    const edge = this.#edges[this.#nTaken] as number;
    const [row, other] = [Math.floor(edge / k), rows[edge] as number];
    this.#nTaken += 1;
    this.similarity = first;
    this.a = Math.min(row, other);
    this.b = Math.max(row, other);
    return true;
  }
}
