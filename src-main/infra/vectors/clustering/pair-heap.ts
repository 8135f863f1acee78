/** Initial capacity in pairs. */
const FIRST_SIZE = 1024;

/**
 * A binary max-heap of scored pairs in typed arrays. Equal scores are ordered by `a`, then `b`. `pop` stores the pair in `similarity`, `a`
 * and `b`, so that millions of pairs allocate nothing.
 */
export class PairHeap {
  similarity = 0;
  a = -1;
  b = -1;
  #n = 0;
  #scores = new Float64Array(FIRST_SIZE);
  #as = new Int32Array(FIRST_SIZE);
  #bs = new Int32Array(FIRST_SIZE);

  /** Score of the best pair, -Infinity when empty. */
  peek(): number {
    return this.#n > 0 ? (this.#scores[0] as number) : Number.NEGATIVE_INFINITY;
  }

  push(similarity: number, a: number, b: number): void {
    if (this.#n === this.#scores.length) this.#grow();
    let at = this.#n;
    this.#n += 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(similarity, a, b, above)) break;
      this.#move(above, at);
      at = above;
    }
    this.#put(at, similarity, a, b);
  }

  /** @returns False when the heap is empty. */
  pop(): boolean {
    if (this.#n === 0) return false;
    this.similarity = this.#scores[0] as number;
    this.a = this.#as[0] as number;
    this.b = this.#bs[0] as number;
    this.#n -= 1;
    const last = this.#n;
    if (last === 0) return true;
    const similarity = this.#scores[last] as number;
    const a = this.#as[last] as number;
    const b = this.#bs[last] as number;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      const right = child + 1;
      if (
        right < last &&
        this.#isBefore(this.#scores[right] as number, this.#as[right] as number, this.#bs[right] as number, child)
      ) {
        child = right;
      }
      if (this.#isBefore(similarity, a, b, child)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, similarity, a, b);
    return true;
  }

  #isBefore(similarity: number, a: number, b: number, other: number): boolean {
    const score = this.#scores[other] as number;
    if (similarity !== score) return similarity > score;
    const otherA = this.#as[other] as number;
    return a !== otherA ? a < otherA : b < (this.#bs[other] as number);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#scores[from] as number, this.#as[from] as number, this.#bs[from] as number);
  }

  #put(at: number, similarity: number, a: number, b: number): void {
    this.#scores[at] = similarity;
    this.#as[at] = a;
    this.#bs[at] = b;
  }

  #grow(): void {
    const size = this.#scores.length * 2;
    const scores = new Float64Array(size);
    scores.set(this.#scores);
    this.#scores = scores;
    const as = new Int32Array(size);
    as.set(this.#as);
    this.#as = as;
    const bs = new Int32Array(size);
    bs.set(this.#bs);
    this.#bs = bs;
  }
}
