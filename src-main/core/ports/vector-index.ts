/**
 * Nearest neighbours by cosine similarity, whatever answers: our own exact search, faiss, or an engine elsewhere. Vectors are L2-normalised;
 * ids are the caller's, whole numbers from 0. Lists come most similar first, equal ones by id.
 */
export interface VectorIndex {
  /** Vectors held. */
  count(): Promise<number>;
  /** Adds vectors, or replaces those of ids it knows. @param vectors One row of the index's dimension for each id. */
  upsert(ids: Int32Array, vectors: Float32Array): Promise<void>;
  /** Forgets vectors; ids that it does not know are passed over. */
  remove(ids: Int32Array): Promise<void>;
  /**
   * The `k` most similar; fewer when there are no more.
   * @param allow Only these ids may come back.
   */
  search(vector: Float32Array, k: number, allow?: ReadonlySet<number>): Promise<VectorMatch[]>;
  /** The `k` most similar to each of the given ids, without itself. @throws Error for an id that it does not know. */
  neighbors(ids: Int32Array, k: number): Promise<VectorMatch[][]>;
  /** The vectors of ids, row after row. @throws Error for an id that it does not know. */
  fetch(ids: Int32Array): Promise<Float32Array>;
  close(): Promise<void>;
}

export interface VectorMatch {
  id: number;
  /** Cosine similarity, -1 … 1; more is more alike. */
  similarity: number;
}

export type OpenVectorIndex = (options: { dim: number; threads: number }) => Promise<VectorIndex>;
