import type { VectorMatch } from '../../../core/ports/vector-engine.ts';
import type { RowSet } from '../row-set.ts';
import type { SharedVectors } from './shared-vectors.ts';
import type { VectorIndex } from './vector-index.ts';

/** Compares a query with every allowed row. The cost is memory bandwidth, so few rows cost little. */
export class ExactVectorIndex implements VectorIndex {
  readonly #vectors: SharedVectors;

  constructor(vectors: SharedVectors) {
    this.#vectors = vectors;
  }

  get count(): number {
    return this.#vectors.count;
  }

  async search(vector: Float32Array, k: number, allowed: RowSet): Promise<VectorMatch[]> {
    const rows = allowed.toRows();
    const requested = Math.min(k, rows.length);
    const candidates = this.#vectors.candidates(requested);
    this.#vectors.offer(vector, rows, candidates);
    return this.#vectors.best(vector, candidates, requested);
  }

  async similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array> {
    const similarities = new Float32Array(rows.length);
    this.#vectors.score(vector, rows, (firstAt, scores) => similarities.set(scores, firstAt));
    return similarities;
  }
}
