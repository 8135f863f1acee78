import type { PairTable } from './pair-table.ts';

/**
 * Finds the pictures that agree with a picture by a threshold, by a comparison or through one other picture: what differs between two
 * pictures differs on one of the two ways, so at least `share + other share − 1` of them agrees. More than one picture between would say too
 * little.
 */
export class RelatedPictures {
  readonly #threshold: number;
  /** Pairs of each picture: those of picture p are at `#offsets[p]` … `#offsets[p + 1] - 1`. */
  readonly #offsets: Int32Array;
  readonly #others: Int32Array;
  readonly #shares: Float32Array;

  /** @param isShown Whether a picture takes part. */
  constructor(pairs: PairTable, threshold: number, count: number, isShown: (picture: number) => boolean) {
    this.#threshold = threshold;
    this.#offsets = new Int32Array(count + 1);
    const offsets = this.#offsets;
    const each = (use: (from: number, to: number, share: number) => void) =>
      pairs.forEach(threshold, (a, b, share) => {
        const [one, other] = [pairs.pictureOf(a), pairs.pictureOf(b)];
        if (one === other || !isShown(one) || !isShown(other)) return;
        use(one, other, share);
        use(other, one, share);
      });
    each((from) => {
      offsets[from + 1] = (offsets[from + 1] as number) + 1;
    });
    for (let picture = 0; picture < count; picture += 1)
      offsets[picture + 1] = (offsets[picture + 1] as number) + (offsets[picture] as number);
    this.#others = new Int32Array(offsets[count] as number);
    this.#shares = new Float32Array(this.#others.length);
    const next = offsets.slice();
    each((from, to, share) => {
      const at = next[from] as number;
      this.#others[at] = to;
      this.#shares[at] = share;
      next[from] = at + 1;
    });
  }

  /** Returns the number of pictures that were compared with a picture and agree with it. */
  countOf(picture: number): number {
    return (this.#offsets[picture + 1] as number) - (this.#offsets[picture] as number);
  }

  /** Returns the related pictures and their shares, including the picture itself. */
  of(picture: number): Map<number, number> {
    const related = new Map([[picture, 1]]);
    this.eachCompared(picture, (other, share) => related.set(other, share));
    for (const [between, share] of [...related]) {
      if (between === picture) continue;
      this.eachCompared(between, (other, otherShare) => {
        const atLeast = share + otherShare - 1;
        if (atLeast >= this.#threshold && atLeast > (related.get(other) ?? 0)) related.set(other, atLeast);
      });
    }
    return related;
  }

  /** Calls `use` with the pictures that were compared with a picture and agree with it. */
  eachCompared(picture: number, use: (other: number, share: number) => void): void {
    const end = this.#offsets[picture + 1] as number;
    for (let at = this.#offsets[picture] as number; at < end; at += 1)
      use(this.#others[at] as number, this.#shares[at] as number);
  }
}
