/** The pair that {@link PairHeap.pop} took off. */
export interface Pair {
  similarity: number;
  a: number;
  b: number;
  /** Sizes of both sides together when the pair was scored; tells a pair that is out of date. */
  sizes: number;
}

/** Numbers of one pair in the heap: its similarity, its sides and their sizes. */
const FIELDS = 4;

/** A binary max-heap of pairs by similarity; equal ones by the smaller `a`, then `b`. One flat array, so millions of pairs are lean. */
export class PairHeap {
  #length = 0;
  /** Row numbers and sizes are exact in doubles. */
  #fields = new Float64Array(1024 * FIELDS);

  push(similarity: number, a: number, b: number, sizes: number): void {
    if ((this.#length + 1) * FIELDS > this.#fields.length) this.#grow();
    let at = this.#length;
    this.#length += 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isAfter(above, similarity, a, b)) break;
      this.#move(above, at);
      at = above;
    }
    this.#set(at, similarity, a, b, sizes);
  }

  pop(): Pair | undefined {
    if (this.#length === 0) return undefined;
    const top = this.#get(0);
    this.#length -= 1;
    if (this.#length === 0) return top;
    const last = this.#get(this.#length);
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.#length) break;
      if (below + 1 < this.#length) {
        const from = (below + 1) * FIELDS;
        const fields = this.#fields;
        if (this.#isAfter(below, fields[from] as number, fields[from + 1] as number, fields[from + 2] as number))
          below += 1;
      }
      if (this.#isAfter(below, last.similarity, last.a, last.b)) break;
      this.#move(below, at);
      at = below;
    }
    this.#set(at, last.similarity, last.a, last.b, last.sizes);
    return top;
  }

  /** True when the pair at a place comes after the given one. */
  #isAfter(at: number, similarity: number, a: number, b: number): boolean {
    const from = at * FIELDS;
    const fields = this.#fields;
    const theirs = fields[from] as number;
    if (theirs !== similarity) return theirs < similarity;
    const their_a = fields[from + 1] as number;
    return their_a !== a ? their_a > a : (fields[from + 2] as number) > b;
  }

  #move(from: number, to: number): void {
    const fields = this.#fields;
    fields[to * FIELDS] = fields[from * FIELDS] as number;
    fields[to * FIELDS + 1] = fields[from * FIELDS + 1] as number;
    fields[to * FIELDS + 2] = fields[from * FIELDS + 2] as number;
    fields[to * FIELDS + 3] = fields[from * FIELDS + 3] as number;
  }

  #get(at: number): Pair {
    const from = at * FIELDS;
    const fields = this.#fields;
    return {
      similarity: fields[from] as number,
      a: fields[from + 1] as number,
      b: fields[from + 2] as number,
      sizes: fields[from + 3] as number,
    };
  }

  #set(at: number, similarity: number, a: number, b: number, sizes: number): void {
    const from = at * FIELDS;
    this.#fields[from] = similarity;
    this.#fields[from + 1] = a;
    this.#fields[from + 2] = b;
    this.#fields[from + 3] = sizes;
  }

  #grow(): void {
    const grown = new Float64Array(this.#fields.length * 2);
    grown.set(this.#fields);
    this.#fields = grown;
  }
}
