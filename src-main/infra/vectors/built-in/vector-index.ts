import type { VectorMatch } from '../../../core/ports/vector-engine.ts';
import type { RowSet } from '../row-set.ts';

/** Nearest neighbours by cosine similarity among the vectors in memory. */
export interface VectorIndex {
  /** Number of rows; rows 0 … count - 1 are searched. */
  readonly count: number;
  /** Returns the `k` most similar allowed rows, most similar first, equal ones by row; fewer when fewer are allowed. */
  search(vector: Float32Array, k: number, allowed: RowSet): Promise<VectorMatch[]>;
  /** Returns the similarity of each row, in order. */
  similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array>;
}
