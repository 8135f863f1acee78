import { innerProduct } from '../../vectors/rows.ts';
import type { SimilarRows } from '../explore/similar-rows.ts';

/** The vectors of all captions in one array, to compare a text with every caption. */
export class CaptionTable {
  readonly #rows: Int32Array;
  #vectors = new Float32Array();
  #dim = 0;
  #count = 0;

  /** @param most Maximum number of captions. */
  constructor(most: number) {
    this.#rows = new Int32Array(most);
  }

  /**
   * Adds the next caption, in order of row.
   * @param vector float32, as long as the previous vectors.
   */
  add(row: number, vector: Uint8Array): void {
    if (this.#count === 0) {
      this.#dim = vector.length / Float32Array.BYTES_PER_ELEMENT;
      this.#vectors = new Float32Array(this.#rows.length * this.#dim);
    }
    new Uint8Array(this.#vectors.buffer).set(vector, this.#count * vector.length);
    this.#rows[this.#count] = row;
    this.#count += 1;
  }

  /** Returns for each item the similarity of its caption that is most similar to a vector. */
  similarities(query: Float32Array): SimilarRows {
    const rows = new Int32Array(this.#count);
    const similarities = new Float32Array(rows.length);
    let n = 0;
    for (let at = 0; at < this.#count; at += 1) {
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
