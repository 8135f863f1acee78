export interface Pair {
  similarity: number;
  a: number;
  b: number;
  /** Sizes of both sides together when the pair was scored; tells a pair that is out of date. */
  sizes: number;
}

/** A binary max-heap of pairs by similarity; equal ones by the smaller `a`, then `b`. */
export class PairHeap {
  readonly #pairs: Pair[] = [];

  push(similarity: number, a: number, b: number, sizes: number): void {
    const pairs = this.#pairs;
    const pair = { similarity, a, b, sizes };
    let at = pairs.length;
    pairs.push(pair);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = pairs[above];
      if (!other || !before(pair, other)) break;
      pairs[at] = other;
      at = above;
    }
    pairs[at] = pair;
  }

  pop(): Pair | undefined {
    const pairs = this.#pairs;
    const top = pairs[0];
    const last = pairs.pop();
    if (pairs.length === 0 || !last) return top;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= pairs.length) break;
      const left = pairs[below];
      const right = pairs[below + 1];
      if (left && right && before(right, left)) below += 1;
      const child = pairs[below];
      if (!child || !before(child, last)) break;
      pairs[at] = child;
      at = below;
    }
    pairs[at] = last;
    return top;
  }
}

function before(a: Pair, b: Pair): boolean {
  return a.similarity !== b.similarity ? a.similarity > b.similarity : a.a !== b.a ? a.a < b.a : a.b < b.b;
}
