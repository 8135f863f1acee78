/** Maximum share that a geometric comparison can give. Only equal bytes are certain. */
const MAX_SHARE = 0.999;

interface Columns {
  a: Int32Array;
  b: Int32Array;
  shares: Float32Array;
}

/**
 * Pairs of near-duplicates, and rows of equal bytes, in memory: 12 bytes per pair and 4 per row. Of rows with equal bytes only the first was
 * compared with others. It stands for the picture that all of them show.
 */
export class PairTable {
  readonly equal: readonly Int32Array[];
  readonly #columns: Columns;
  /** By row: the first row with equal bytes. */
  readonly #pictures: Int32Array;

  /**
   * @param columns Pairs, sorted by their rows.
   * @param equal Rows of equal bytes, the first row first.
   */
  constructor({ a, b, shares }: Columns, equal: readonly Int32Array[], nRows: number) {
    this.equal = equal;
    this.#columns = { a, b, shares: shares.map((share) => Math.min(MAX_SHARE, share)) };
    this.#pictures = new Int32Array(nRows);
    for (let row = 0; row < nRows; row += 1) this.#pictures[row] = row;
    for (const rows of equal) for (const row of rows) this.#pictures[row] = rows[0] as number;
  }

  /** Returns the first row with the bytes of a row. */
  pictureOf(row: number): number {
    return this.#pictures[row] ?? row;
  }

  /** Calls `use` with the pairs of at least this share. */
  forEach(threshold: number, use: (a: number, b: number, share: number) => void): void {
    const { a, b, shares } = this.#columns;
    for (let at = 0; at < a.length; at += 1) {
      const share = shares[at] as number;
      if (share >= threshold) use(a[at] as number, b[at] as number, share);
    }
  }

  /** Returns how much of two pictures agrees, 0 … 1: 1 for equal bytes, 0 for a pair that is not stored. */
  shareOf(rowA: number, rowB: number): number {
    const [one, other] = [this.pictureOf(rowA), this.pictureOf(rowB)];
    if (one === other) return 1;
    const [first, second] = [Math.min(one, other), Math.max(one, other)];
    const { a, b, shares } = this.#columns;
    let [from, to] = [0, a.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const before = (a[middle] as number) - first || (b[middle] as number) - second;
      if (before === 0) return shares[middle] as number;
      if (before < 0) from = middle + 1;
      else to = middle;
    }
    return 0;
  }
}
