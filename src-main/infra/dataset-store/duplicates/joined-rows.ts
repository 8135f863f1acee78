/** Disjoint sets of rows; each set is identified by its lowest row (Tarjan 1975, with path halving). */
export class JoinedRows {
  readonly #parents: Int32Array;
  readonly #joined = new Set<number>();

  constructor(count: number) {
    this.#parents = new Int32Array(count);
    for (let row = 0; row < count; row += 1) this.#parents[row] = row;
  }

  join(a: number, b: number): void {
    this.#joined.add(a);
    this.#joined.add(b);
    const [rootA, rootB] = [this.groupOf(a), this.groupOf(b)];
    this.#parents[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
  }

  groupOf(row: number): number {
    let at = row;
    while (this.#parents[at] !== at) {
      this.#parents[at] = this.#parents[this.#parents[at] as number] as number;
      at = this.#parents[at] as number;
    }
    return at;
  }

  /** Returns the rows that were joined with others, ascending. */
  members(): Int32Array {
    return Int32Array.from(this.#joined).sort();
  }
}
