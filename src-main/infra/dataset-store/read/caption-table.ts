/** The vectors of all captions side by side, to compare a text with every one. */
export class CaptionTable {
  readonly #rows: Int32Array;
  readonly #vectors: Float32Array;

  /** @param captions float32 vectors of one length, in order of the item's row. */
  constructor(captions: Iterable<{ row: number; vector: Uint8Array }>) {
    const rows: number[] = [];
    const parts: Uint8Array[] = [];
    for (const { row, vector } of captions) {
      rows.push(row);
      parts.push(vector);
    }
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let end = 0;
    for (const part of parts) {
      bytes.set(part, end);
      end += part.length;
    }
    this.#rows = Int32Array.from(rows);
    this.#vectors = new Float32Array(bytes.buffer);
  }

  /** Of each item's row, that of its caption which is most like a vector; -Infinity where there is none. */
  similarities(query: Float32Array): Float32Array {
    const dim = this.#rows.length === 0 ? 0 : this.#vectors.length / this.#rows.length;
    const best = new Float32Array((this.#rows.at(-1) ?? -1) + 1).fill(Number.NEGATIVE_INFINITY);
    for (const [at, row] of this.#rows.entries()) {
      let similarity = 0;
      for (let place = 0; place < dim; place += 1) {
        similarity += (query[place] ?? 0) * (this.#vectors[at * dim + place] ?? 0);
      }
      if (similarity > (best[row] as number)) best[row] = similarity;
    }
    return best;
  }
}
