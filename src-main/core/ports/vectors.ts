import type { EntityType } from '../../contract/schemas/explore.ts';
import type { BuiltSpace, JobInput, PreparedIndex } from './index-jobs.ts';
import type { StoreMethods } from './store-methods.ts';
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
  /** Lists the spaces with the number of their rows, and how many of these an external engine searches. */
  listCopies(): Promise<SpaceCopy[]>;
  /** Counts the living items or objects that are not in the published index. */
  countUnindexed(entityType: EntityType): Promise<number>;
}

export interface SpaceCopy {
  space: EmbeddingSpace;
  entity_type: EntityType;
  n_rows: number;
  n_copied: number;
}

/** A job that copies the vectors of one space to the external engine. Only the job and the store interpret its input. */
export interface CopyJob {
  count: number;
  input: JobInput;
}

export interface CopyJobs {
  /** @throws AppError `unavailable` when the engine cannot be reached; what is already copied stays. */
  copyVectors(job: CopyJob, options: { signal?: AbortSignal; onProgress?: (fraction: number) => void }): Promise<void>;
}

export interface VectorWrites {
  /** Sets the encoder of a space before its first vector is stored. An existing space is not changed. */
  openSpace(space: EmbeddingSpace, made: VectorSpace): Promise<void>;
  /** Prepares the next index job. */
  prepareIndex(space: EmbeddingSpace, entityType: EntityType): Promise<PreparedIndex>;
  /** Prepares the copies of all spaces to the external engine. */
  prepareCopies(): Promise<CopyJob[]>;
  /** Deletes the copies that the external engine has; searches then read the files. */
  deleteCopies(): Promise<void>;
  /** Switches reads to finished indexes in one transaction, shows all saved rows and removes the objects that the new ones replace. */
  publishIndex(built: BuiltSpace[]): Promise<void>;
}

export const vectorMethods: StoreMethods<VectorReads, VectorWrites> = {
  findSpace: 'read',
  sample: 'read',
  countIndexed: 'read',
  countUnindexed: 'read',
  listCopies: 'read',
  openSpace: 'write',
  prepareIndex: 'write',
  prepareCopies: 'write',
  deleteCopies: 'write',
  publishIndex: 'write',
};
