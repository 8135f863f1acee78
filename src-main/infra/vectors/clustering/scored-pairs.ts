/** Initial capacity in pairs. */
const FIRST_SIZE = 1024;

/** A list of scored pairs in typed arrays, so that millions of pairs allocate nothing. */
export class ScoredPairs {
  n = 0;
  similarities = new Float64Array(FIRST_SIZE);
  as = new Int32Array(FIRST_SIZE);
  bs = new Int32Array(FIRST_SIZE);

  push(similarity: number, a: number, b: number): void {
    if (this.n === this.as.length) this.#grow();
    this.put(this.n, similarity, a, b);
    this.n += 1;
  }

  put(at: number, similarity: number, a: number, b: number): void {
    this.similarities[at] = similarity;
    this.as[at] = a;
    this.bs[at] = b;
  }

  move(from: number, to: number): void {
    this.put(to, this.similarities[from] as number, this.as[from] as number, this.bs[from] as number);
  }

  /** Removes the pairs from a similarity on; the others keep their order. @returns The removed ones. */
  takeFrom(lowest: number): ScoredPairs {
    const taken = new ScoredPairs();
    let nKept = 0;
    for (let at = 0; at < this.n; at += 1) {
      const similarity = this.similarities[at] as number;
      if (similarity >= lowest) {
        taken.push(similarity, this.as[at] as number, this.bs[at] as number);
      } else {
        this.move(at, nKept);
        nKept += 1;
      }
    }
    this.n = nKept;
    return taken;
  }

  #grow(): void {
    const size = this.as.length * 2;
    const { similarities, as, bs } = this;
    this.similarities = new Float64Array(size);
    this.similarities.set(similarities);
    this.as = new Int32Array(size);
    this.as.set(as);
    this.bs = new Int32Array(size);
    this.bs.set(bs);
  }
}
