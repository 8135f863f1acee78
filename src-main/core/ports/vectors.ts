import type { EntityType } from '../../contract/schemas/explore.ts';
import type { BuiltSpace, PreparedIndex } from './index-jobs.ts';
import type { EmbeddingSpace, VectorSpace } from './vector-space.ts';

/** Reads spaces and the extent of the published index: [Note: Two spaces]. */
export interface VectorReads {
  /** @returns Undefined when the dataset has no such space, or no vectors yet. */
  findSpace(space: EmbeddingSpace, entityType: EntityType): Promise<VectorSpace | undefined>;
  /** Vectors of living items or objects, one after the other, spread evenly over all of them. Also of a space that is being added. */
  sample(space: EmbeddingSpace, entityType: EntityType, limit: number): Promise<Float32Array>;
  /** Number of rows that the published index covers, living or not; later rows are not indexed. */
  countIndexed(): Promise<Record<EntityType, number>>;
  /** Number of living items or objects that are not in the published index. */
  countUnindexed(entityType: EntityType): Promise<number>;
}

export interface VectorWrites {
  /** Sets the encoder of a space, before its first vector; an existing space stays as it is. */
  openSpace(space: EmbeddingSpace, made: VectorSpace): Promise<void>;
  /** Prepares the next index job. */
  prepareIndex(space: EmbeddingSpace, entityType: EntityType): Promise<PreparedIndex>;
  /** Switches reads to finished indexes in one transaction, shows all saved rows and removes the objects that they replace. */
  publishIndex(built: BuiltSpace[]): Promise<void>;
}
