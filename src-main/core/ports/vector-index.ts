/** Some rows of one space and entity type. */
export interface RowFilter {
  /** How many they are. */
  readonly count: number;
  has(row: number): boolean;
  /** Ascending. */
  toRows(): Int32Array;
}

export interface VectorMatch {
  row: number;
  /** Cosine similarity, -1 … 1; more is more alike. */
  similarity: number;
}

/** Nearest neighbours by cosine similarity among the L2-normalised vectors of one space and entity type, whatever answers. */
export interface VectorIndex {
  /** Rows 0 … count - 1 have vectors. */
  readonly count: number;
  /** The `k` most similar of the rows allowed, most similar first, equal ones by row; fewer when there are no more. */
  search(vector: Float32Array, k: number, allow: RowFilter): Promise<VectorMatch[]>;
  /** Of each row, in their order. */
  similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array>;
}
