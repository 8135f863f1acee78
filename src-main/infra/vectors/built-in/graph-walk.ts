import { RowSet } from '../row-set.ts';
import type { TopRows } from '../top-rows.ts';
import type { NeighborRows } from './shared-neighbors.ts';
import type { Comparison, SharedVectors } from './shared-vectors.ts';

/** Number of rows whose neighbours are compared together. */
const TOGETHER = 16;
/** A round expands at least this many rows, and this share of the requested ones. */
const [ROUND, ROUND_OF_REQUESTED] = [128, 1 / 4];
/** The walk ends after a round that improved at most this share of the answers. */
const MIN_GAIN = 0.004;

interface Parts {
  vectors: SharedVectors;
  graph: NeighborRows;
  vector: Float32Array;
  /** Rows that may be answers. The walk also passes through others. */
  allowed: RowSet;
  top: TopRows;
  /** Number of answers, and of rows in all among which about as many are allowed. */
  k: number;
  kOfAll: number;
}

/**
 * A search along the neighbour graph: the neighbours of the best rows found are compared with the query, best row first, as in the lowest
 * layer of HNSW (Malkov & Yashunin 2018, algorithm 2). The rows to start from come from inverted lists instead of upper layers, so that
 * groups which no edge connects are found too. The number of expanded rows is not fixed: all rows that are better than the worst answer
 * are expanded, and then others until they improve the answers no more.
 */
export class GraphWalk {
  readonly #parts: Parts;
  readonly #compareRows: Comparison;
  readonly #seen: RowSet;
  readonly #found = new RowQueue();
  readonly #neighbors: Int32Array;
  readonly #unseen: Int32Array;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#compareRows = parts.vectors.comparing(parts.vector);
    this.#seen = new RowSet(parts.vectors.count);
    this.#neighbors = new Int32Array(parts.graph.k);
    this.#unseen = new Int32Array(parts.graph.k * TOGETHER);
  }

  /** Finds the best rows that are reached from some rows. */
  from(entries: Int32Array): void {
    const { k, kOfAll, top } = this.#parts;
    const size = Math.max(ROUND, Math.ceil(kOfAll * ROUND_OF_REQUESTED));
    this.#compare(entries.filter((row) => this.#isNew(row)));
    while (!this.#found.isEmpty) {
      const nEntered = this.#expand(size);
      if (nEntered <= k * MIN_GAIN && this.#found.bestScore < top.leastScore) break;
    }
  }

  /** Expands the best rows found. @returns Number of rows that entered the answers. */
  #expand(nRows: number): number {
    const { graph } = this.#parts;
    let nEntered = 0;
    for (let nExpanded = 0; nExpanded < nRows && !this.#found.isEmpty; nExpanded += TOGETHER) {
      let nUnseen = 0;
      for (let nth = 0; nth < TOGETHER && !this.#found.isEmpty; nth += 1) {
        graph.read(this.#found.takeBest(), this.#neighbors);
        for (const row of this.#neighbors) {
          if (!this.#isNew(row)) continue;
          this.#unseen[nUnseen] = row;
          nUnseen += 1;
        }
      }
      nEntered += this.#compare(this.#unseen.subarray(0, nUnseen));
    }
    return nEntered;
  }

  /** Row numbers come from a file, which can be damaged. */
  #isNew(row: number): boolean {
    if (row < 0 || row >= this.#seen.size || this.#seen.has(row)) return false;
    this.#seen.add(row);
    return true;
  }

  #compare(rows: Int32Array): number {
    const { allowed, top } = this.#parts;
    let nEntered = 0;
    this.#compareRows(rows, (first, scores) => {
      for (let at = 0; at < scores.length; at += 1) {
        const [row, score] = [rows[first + at] as number, scores[at] as number];
        if (score === Number.NEGATIVE_INFINITY) continue;
        this.#found.add(row, score);
        if (score >= top.leastScore && allowed.has(row) && top.offer(row, score)) nEntered += 1;
      }
    });
    return nEntered;
  }
}

/** Rows by their scores, in a binary heap with the best on top. */
class RowQueue {
  readonly #rows: number[] = [];
  readonly #scores: number[] = [];

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** -Infinity when it is empty. */
  get bestScore(): number {
    return this.#scores[0] ?? Number.NEGATIVE_INFINITY;
  }

  add(row: number, score: number): void {
    let at = this.#rows.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((this.#scores[above] as number) >= score) break;
      this.#put(at, this.#rows[above] as number, this.#scores[above] as number);
      at = above;
    }
    this.#put(at, row, score);
  }

  takeBest(): number {
    const best = this.#rows[0] as number;
    const [row, score] = [this.#rows.pop() as number, this.#scores.pop() as number];
    if (!this.isEmpty) this.#sink(row, score);
    return best;
  }

  #sink(row: number, score: number): void {
    const n = this.#rows.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= n) break;
      if (child + 1 < n && (this.#scores[child + 1] as number) > (this.#scores[child] as number)) child += 1;
      if ((this.#scores[child] as number) <= score) break;
      this.#put(at, this.#rows[child] as number, this.#scores[child] as number);
      at = child;
    }
    this.#put(at, row, score);
  }

  #put(at: number, row: number, score: number): void {
    this.#rows[at] = row;
    this.#scores[at] = score;
  }
}
