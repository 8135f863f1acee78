/**
 * [Note: Two spaces]
 * Each dataset has the space `looks`: appearance embeddings by the built-in descriptor, used for duplicates, uniqueness and the order of
 * singles. It can also have the space `meaning`: embeddings by one trained encoder, used for clusters, similarity and search by text.
 * Without `meaning`, `looks` is used instead. Each space has its own vectors, neighbour graph and clusters for items and for objects.
 */
export const EMBEDDING_SPACES = ['looks', 'meaning'] as const;
export type EmbeddingSpace = (typeof EMBEDDING_SPACES)[number];

/** The encoder and dimension of the vectors of a space. */
export interface VectorSpace {
  encoder_id: string;
  dim: number;
}

/** L2-normalised vectors of one item or object. */
export type SpaceVectors = Partial<Record<EmbeddingSpace, Float32Array>>;
