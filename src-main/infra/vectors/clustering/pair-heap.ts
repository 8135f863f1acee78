import { ScoredPairs } from './scored-pairs.ts';

/** A binary max-heap of scored pairs. Equal scores are ordered by `a`, then `b`. `pop` stores the pair in `similarity`, `a` and `b`. */
export class PairHeap {
  similarity = 0;
  a = -1;
  b = -1;
  readonly #pairs = new ScoredPairs();

  /** Score of the best pair, -Infinity when empty. */
  peek(): number {
    return this.#pairs.n > 0 ? (this.#pairs.similarities[0] as number) : Number.NEGATIVE_INFINITY;
  }

  push(similarity: number, a: number, b: number): void {
    const pairs = this.#pairs;
    pairs.push(similarity, a, b);
    let at = pairs.n - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(similarity, a, b, above)) break;
      pairs.move(above, at);
      at = above;
    }
    pairs.put(at, similarity, a, b);
  }

  /** @returns False when the heap is empty. */
  pop(): boolean {
    const pairs = this.#pairs;
    if (pairs.n === 0) return false;
    this.similarity = pairs.similarities[0] as number;
    this.a = pairs.as[0] as number;
    this.b = pairs.bs[0] as number;
    pairs.n -= 1;
    const last = pairs.n;
    if (last === 0) return true;
    const similarity = pairs.similarities[last] as number;
    const a = pairs.as[last] as number;
    const b = pairs.bs[last] as number;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      const right = child + 1;
      if (
        right < last &&
        this.#isBefore(pairs.similarities[right] as number, pairs.as[right] as number, pairs.bs[right] as number, child)
      ) {
        child = right;
      }
      if (this.#isBefore(similarity, a, b, child)) break;
      pairs.move(child, at);
      at = child;
    }
    pairs.put(at, similarity, a, b);
    return true;
  }

  #isBefore(similarity: number, a: number, b: number, other: number): boolean {
    const { similarities, as, bs } = this.#pairs;
    const score = similarities[other] as number;
    if (similarity !== score) return similarity > score;
    const otherA = as[other] as number;
    return a !== otherA ? a < otherA : b < (bs[other] as number);
  }
}
