import type { EntityType } from '../../contract/schemas/explore.ts';
import type { BuiltSpace, PreparedIndex } from './index-jobs.ts';
import type { EmbeddingSpace, VectorSpace } from './vector-space.ts';

/** Reads spaces and the extent of the published index: [Note: Two spaces]. */
export interface VectorReads {
  /** Finds the encoder of a space. @returns Undefined if the dataset does not have the space, or has no vectors yet. */
  findSpace(space: EmbeddingSpace, entityType: EntityType): Promise<VectorSpace | undefined>;
  /**
   * Returns a sample of the vectors of living items or objects, concatenated, evenly spaced over all of them. Also works for a space that
   * is being added.
   */
  sample(space: EmbeddingSpace, entityType: EntityType, limit: number): Promise<Float32Array>;
  /** Counts the rows that the published index covers, living or not; later rows are not indexed. */
  countIndexed(): Promise<Record<EntityType, number>>;
  /** Counts the living items or objects that are not in the published index. */
  countUnindexed(entityType: EntityType): Promise<number>;
}

export interface VectorWrites {
  /** Sets the encoder of a space before its first vector is stored. An existing space is not changed. */
  openSpace(space: EmbeddingSpace, made: VectorSpace): Promise<void>;
  /** Prepares the next index job. */
  prepareIndex(space: EmbeddingSpace, entityType: EntityType): Promise<PreparedIndex>;
  /** Switches reads to finished indexes in one transaction, shows all saved rows and removes the objects that the new ones replace. */
  publishIndex(built: BuiltSpace[]): Promise<void>;
}
