import type { VectorMatch } from '../../core/ports/vector-engine.ts';
import { sortHighestFirst } from './highest-first.ts';

/** The `k` offered rows with the highest scores, in a binary heap with the worst on top; of equal scores the lower row is better. */
export class TopRows {
  readonly #k: number;
  readonly #rows: Int32Array;
  readonly #scores: Float32Array;
  #n = 0;

  constructor(k: number) {
    this.#k = k;
    this.#rows = new Int32Array(k);
    this.#scores = new Float32Array(k);
  }

  get isFull(): boolean {
    return this.#n === this.#k;
  }

  /** Minimum score to enter the best. */
  get leastScore(): number {
    return this.isFull ? (this.#scores[0] ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY;
  }

  /** @returns Whether the row is now among the best. */
  offer(row: number, score: number): boolean {
    if (this.#n < this.#k) {
      this.#rise(this.#n, row, score);
      this.#n += 1;
      return true;
    }
    if (this.#k === 0 || !this.#isWorse(this.#rows[0] as number, this.#scores[0] as number, row, score)) return false;
    this.#sink(row, score);
    return true;
  }

  /** Offers rows; `scores` contains those of the rows from `first` on. @returns Number of rows that entered the best. */
  offerEach(rows: Int32Array, first: number, scores: Float32Array): number {
    let [nEntered, least] = [0, this.leastScore];
    for (let at = 0; at < scores.length; at += 1) {
      const score = scores[at] as number;
      // Rejects nearly all of many rows here.
      if (score < least || !this.offer(rows[first + at] as number, score)) continue;
      nEntered += 1;
      least = this.leastScore;
    }
    return nEntered;
  }

  /** Best first. */
  best(): VectorMatch[] {
    const rows = this.#rows.slice(0, this.#n);
    const scores = this.#scores.slice(0, this.#n);
    sortHighestFirst(rows, scores);
    return Array.from(scores, (similarity, at) => ({ row: rows[at] as number, similarity }));
  }

  #isWorse(row: number, score: number, thanRow: number, thanScore: number): boolean {
    return score < thanScore || (score === thanScore && row > thanRow);
  }

  #rise(from: number, row: number, score: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isWorse(row, score, this.#rows[above] as number, this.#scores[above] as number)) break;
      this.#put(at, this.#rows[above] as number, this.#scores[above] as number);
      at = above;
    }
    this.#put(at, row, score);
  }

  #sink(row: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#n) break;
      const right = child + 1;
      if (right < this.#n && this.#isWorseAt(right, child)) child = right;
      if (!this.#isWorse(this.#rows[child] as number, this.#scores[child] as number, row, score)) break;
      this.#put(at, this.#rows[child] as number, this.#scores[child] as number);
      at = child;
    }
    this.#put(at, row, score);
  }

  #isWorseAt(at: number, thanAt: number): boolean {
    return this.#isWorse(
      this.#rows[at] as number,
      this.#scores[at] as number,
      this.#rows[thanAt] as number,
      this.#scores[thanAt] as number,
    );
  }

  #put(at: number, row: number, score: number): void {
    this.#rows[at] = row;
    this.#scores[at] = score;
  }
}
