import type { RowFilter, VectorIndex, VectorMatch } from '../../core/ports/vector-index.ts';
import type { SharedVectors } from './shared-vectors.ts';
import { TopRows } from './top-rows.ts';

/** Compares with every row that is allowed. Memory bandwidth is what it costs, so few rows cost little. */
export class ExactVectorIndex implements VectorIndex {
  readonly #vectors: SharedVectors;

  constructor(vectors: SharedVectors) {
    this.#vectors = vectors;
  }

  get count(): number {
    return this.#vectors.count;
  }

  async search(vector: Float32Array, k: number, allow: RowFilter): Promise<VectorMatch[]> {
    const rows = allow.toRows();
    const top = new TopRows(Math.min(k, rows.length));
    this.#vectors.score(vector, rows, (firstAt, scores) => {
      for (let at = 0; at < scores.length; at += 1) top.offer(rows[firstAt + at] as number, scores[at] as number);
    });
    return top.best();
  }

  async similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array> {
    const similarities = new Float32Array(rows.length);
    this.#vectors.score(vector, rows, (firstAt, scores) => similarities.set(scores, firstAt));
    return similarities;
  }
}
