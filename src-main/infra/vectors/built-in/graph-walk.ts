import type { RowSet } from '../row-set.ts';
import type { TopRows } from '../top-rows.ts';
import type { NeighborRows } from './shared-neighbors.ts';
import type { Comparison, SharedVectors } from './shared-vectors.ts';

/** Number of rows whose neighbours are compared together. */
const TOGETHER = 16;
/** A round expands at least this many rows, and this share of the requested ones. */
const [ROUND, ROUND_OF_REQUESTED] = [128, 1 / 4];
/** The walk ends after a round that improved at most this share of the answers. */
const MIN_GAIN = 0.004;
/** A walk queues only the best entries. Their number, relative to the number of requested rows. */
const QUEUED_OF_REQUESTED = 4;
/** The lowest score of these entries is estimated from one in this many scores. */
const SAMPLED = 16;

interface Parts {
  vectors: SharedVectors;
  graph: NeighborRows;
  vector: Float32Array;
  /** Rows to start from, of all rows. The walk adds those that it has seen. */
  entries: RowSet;
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
    this.#seen = parts.entries;
    this.#neighbors = new Int32Array(parts.graph.k);
    this.#unseen = new Int32Array(parts.graph.k * TOGETHER);
  }

  /** Finds the best rows that are reached from the entries. */
  run(): void {
    const { k, kOfAll, top } = this.#parts;
    const size = Math.max(ROUND, Math.ceil(kOfAll * ROUND_OF_REQUESTED));
    this.#start(this.#seen.toRows(), QUEUED_OF_REQUESTED * (ROUND + kOfAll));
    while (!this.#found.isEmpty) {
      const nEntered = this.#expand(size);
      if (nEntered <= k * MIN_GAIN && this.#found.bestScore < top.leastScore) break;
    }
  }

  /** Compares the entries and queues about `nQueued` of them, the best. */
  #start(rows: Int32Array, nQueued: number): void {
    const scores = new Float32Array(rows.length);
    this.#compareRows(rows, (first, some) => {
      scores.set(some, first);
    });
    const sample = scores.filter((_, at) => at % SAMPLED === 0).sort();
    const least = sample[Math.max(0, sample.length - Math.ceil(nQueued / SAMPLED))] ?? Number.NEGATIVE_INFINITY;
    this.#take(rows, 0, scores, rows.length <= nQueued ? Number.NEGATIVE_INFINITY : least);
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
    let nEntered = 0;
    this.#compareRows(rows, (first, scores) => {
      nEntered += this.#take(rows, first, scores, Number.NEGATIVE_INFINITY);
    });
    return nEntered;
  }

  /** Queues the rows from `first` on whose scores are at least `least`, and offers all as answers. @returns Number of rows that entered. */
  #take(rows: Int32Array, first: number, scores: Float32Array, least: number): number {
    const { allowed, top } = this.#parts;
    let nEntered = 0;
    for (let at = 0; at < scores.length; at += 1) {
      const [row, score] = [rows[first + at] as number, scores[at] as number];
      if (score === Number.NEGATIVE_INFINITY) continue;
      if (score >= least) this.#found.add(row, score);
      if (score >= top.leastScore && allowed.has(row) && top.offer(row, score)) nEntered += 1;
    }
    return nEntered;
  }
}

/** Room of a queue at first. */
const FIRST_QUEUE = 8192;

/** Rows by their scores, in a binary heap with the best on top. */
class RowQueue {
  #rows = new Int32Array(FIRST_QUEUE);
  #scores = new Float32Array(FIRST_QUEUE);
  #n = 0;

  get isEmpty(): boolean {
    return this.#n === 0;
  }

  /** -Infinity when it is empty. */
  get bestScore(): number {
    return this.#n === 0 ? Number.NEGATIVE_INFINITY : (this.#scores[0] as number);
  }

  add(row: number, score: number): void {
    if (this.#n === this.#rows.length) this.#grow();
    const [rows, scores] = [this.#rows, this.#scores];
    let at = this.#n;
    this.#n += 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((scores[above] as number) >= score) break;
      rows[at] = rows[above] as number;
      scores[at] = scores[above] as number;
      at = above;
    }
    rows[at] = row;
    scores[at] = score;
  }

  takeBest(): number {
    const best = this.#rows[0] as number;
    this.#n -= 1;
    this.#sink(this.#rows[this.#n] as number, this.#scores[this.#n] as number);
    return best;
  }

  /** Puts a row in place of the best one. */
  #sink(row: number, score: number): void {
    const [rows, scores, n] = [this.#rows, this.#scores, this.#n];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= n) break;
      if (child + 1 < n && (scores[child + 1] as number) > (scores[child] as number)) child += 1;
      if ((scores[child] as number) <= score) break;
      rows[at] = rows[child] as number;
      scores[at] = scores[child] as number;
      at = child;
    }
    rows[at] = row;
    scores[at] = score;
  }

  #grow(): void {
    const [rows, scores] = [this.#rows, this.#scores];
    this.#rows = new Int32Array(rows.length * 2);
    this.#rows.set(rows);
    this.#scores = new Float32Array(scores.length * 2);
    this.#scores.set(scores);
  }
}
