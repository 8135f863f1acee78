import type { EntityType } from '../../contract/schemas/explore.ts';
import type { JobInput } from './index-jobs.ts';
import type { EmbeddingSpace } from './vector-space.ts';

/**
 * [Note: Projection]
 * Each row of an index has a position on a plane. Rows that are near each other in the shown space are near each other on the plane, so
 * that the map shows the structure of a dataset. The positions are computed from the neighbour graph after the index is published, in the
 * background. Existing rows keep their positions when rows are added; the added rows are placed beside their neighbours. When too many rows
 * have been added to a layout, all positions are computed again, starting from the existing ones.
 */

/** A projection job prepared by the store. */
export interface ProjectionJob {
  space: EmbeddingSpace;
  entity_type: EntityType;
  /** Number of rows to project. */
  count: number;
  /** Version of the index that the job reads. */
  index_version: number;
  input: JobInput;
}

export interface ProjectionJobs {
  project(
    job: ProjectionJob,
    options: { signal?: AbortSignal; onProgress?: (fraction: number) => void },
  ): Promise<void>;
}
