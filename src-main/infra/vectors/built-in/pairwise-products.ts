import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { PAGE_BYTES, paddedBytes, type Score, vectorKernels } from '../vector-kernels.ts';

/** Inner products of a few vectors with each other, by the WebAssembly kernel. */
export class PairwiseProducts {
  readonly #bytes: number;
  readonly #most: number;
  readonly #vectorsAt: number;
  readonly #floats: Float32Array;
  readonly #score: Score;

  /** @param most Maximum number of vectors. */
  constructor(dim: number, most: number) {
    this.#most = most;
    this.#bytes = paddedBytes(dim);
    // The kernel takes row numbers, here 0 and up, and returns scores.
    this.#vectorsAt = Math.ceil((most * 8) / 32) * 32;
    const nPages = Math.ceil((this.#vectorsAt + most * this.#bytes) / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: nPages, maximum: nPages, shared: true });
    new Int32Array(memory.buffer, 0, most).set(Int32Array.from({ length: most }, (_, place) => place));
    this.#floats = new Float32Array(memory.buffer);
    this.#score = vectorKernels(memory).dotProducts;
  }

  put(place: number, vectors: RowVectors, row: number): void {
    vectors.copy(row, this.#floats, (this.#vectorsAt + place * this.#bytes) / 4);
  }

  /**
   * Computes the products of the vector at an index with those at higher indexes below `n`.
   * @returns Valid until the next call.
   */
  withLater(place: number, n: number): Float32Array {
    const first = place + 1;
    const query = this.#vectorsAt + place * this.#bytes;
    this.#score(query, first * 4, n - first, this.#vectorsAt, this.#bytes, this.#most * 4);
    return this.#floats.subarray(this.#most, this.#most + n - first);
  }
}
