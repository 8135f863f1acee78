/**
 * A searchable set of L2-normalised vectors, one per row of a dataset. Rows are dense numbers that the caller gives out; similarity is the
 * cosine, -1 … 1. Every implementation passes one conformance suite; those that are approximate say so.
 */
export interface VectorMatch {
  row: number;
  similarity: number;
}

export interface VectorIndex {
  readonly dim: number;
  /** False when a search may miss rows; the similarities it gives are right all the same. */
  readonly exact: boolean;
  /** Rows that can be found. */
  count(): number;
  /** Adds rows or replaces their vectors; `vectors` holds `rows.length` × dim floats. */
  upsert(rows: readonly number[], vectors: Float32Array): Promise<void>;
  /** Rows that are not there are passed over. */
  remove(rows: readonly number[]): Promise<void>;
  /**
   * The k most similar rows, best first, equal ones by row; fewer when there are fewer.
   * @param allow One byte a row: only rows with a non-zero byte are found; rows beyond its end are not.
   */
  search(vector: Float32Array, k: number, allow?: Uint8Array): Promise<VectorMatch[]>;
  /** The k rows most similar to each given row, itself left out. @throws RangeError for a row that is not there. */
  neighbors(rows: readonly number[], k: number): Promise<VectorMatch[][]>;
  /** `rows.length` × dim floats. @throws RangeError for a row that is not there. */
  fetch(rows: readonly number[]): Promise<Float32Array>;
  /** Frees what it holds; nothing may be called afterwards. */
  close(): Promise<void>;
}
