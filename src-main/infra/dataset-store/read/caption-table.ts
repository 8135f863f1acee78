import { innerProduct } from '../../vectors/rows.ts';
import type { SimilarRows } from './similar-rows.ts';

/** The vectors of all captions side by side, to compare a text with every one. */
export class CaptionTable {
  readonly #rows: Int32Array;
  readonly #vectors: Float32Array;
  readonly #dim: number;

  /**
   * @param captions float32 vectors of one length, in order of the item's row.
   * @param most They are no more than that.
   */
  constructor(captions: Iterable<{ row: number; vector: Uint8Array }>, most: number) {
    const rows = new Int32Array(most);
    let bytes = new Uint8Array();
    let count = 0;
    for (const { row, vector } of captions) {
      if (count === 0) bytes = new Uint8Array(most * vector.length);
      bytes.set(vector, count * vector.length);
      rows[count] = row;
      count += 1;
    }
    this.#rows = rows.subarray(0, count);
    this.#vectors = new Float32Array(bytes.buffer);
    this.#dim = most === 0 ? 0 : this.#vectors.length / most;
  }

  /** Of each item's row, that of its caption which is most like a vector. */
  similarities(query: Float32Array): SimilarRows {
    const rows = new Int32Array(this.#rows.length);
    const similarities = new Float32Array(rows.length);
    let n = 0;
    for (let at = 0; at < this.#rows.length; at += 1) {
      const row = this.#rows[at] as number;
      const similarity = innerProduct(query, 0, this.#vectors, at * this.#dim, this.#dim);
      if (n === 0 || rows[n - 1] !== row) {
        rows[n] = row;
        similarities[n] = similarity;
        n += 1;
      } else if (similarity > (similarities[n - 1] as number)) similarities[n - 1] = similarity;
    }
    return { rows: rows.subarray(0, n), similarities: similarities.subarray(0, n) };
  }
}
