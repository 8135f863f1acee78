/**
 * [Note: Two spaces]
 * Each dataset has vectors of *looks*, by the descriptor that is built in: always there, for duplicates, uniqueness and the order of
 * singles. It has at most one space of *meaning*, by a trained encoder: for clusters, similarity and text. Where there is no meaning, looks
 * stands in. A space has vectors, a neighbour graph and clusters of its own for items and for objects.
 */
export const EMBEDDING_SPACES = ['looks', 'meaning'] as const;
export type EmbeddingSpace = (typeof EMBEDDING_SPACES)[number];

/** What made the vectors of a space. */
export interface VectorSpace {
  encoder_id: string;
  dim: number;
}

/** L2-normalised vectors of one item or object. */
export type SpaceVectors = Partial<Record<EmbeddingSpace, Float32Array>>;
