import type { VectorMatch } from '../../../core/ports/vector-engine.ts';
import type { RowSet } from '../row-set.ts';

/** Nearest neighbours by cosine similarity among the vectors in memory. */
export interface VectorIndex {
  /** Rows 0 … count - 1 are searched. */
  readonly count: number;
  /** The `k` most similar of the allowed rows, most similar first, equal ones by row; fewer when no more are allowed. */
  search(vector: Float32Array, k: number, allowed: RowSet): Promise<VectorMatch[]>;
  /** The similarity of each row, in their order. */
  similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array>;
}
