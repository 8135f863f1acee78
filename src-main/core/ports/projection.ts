import type { EntityType } from '../../contract/schemas/explore.ts';
import type { EmbeddingSpace } from './vector-space.ts';

/**
 * [Note: Projection]
 * Each row of an index has a place on a plane: what is near in the shown space is near there, so that a person sees how a dataset is made
 * up. It is laid out from the neighbour graph after the index is published, and never held up by anything. Rows keep their places when others
 * are added, which go beside their neighbours; once a projection has outgrown its layout it is laid out anew, from where its rows were.
 */

/** What is projected; everything goes by file, so it can run again after a crash. */
export interface ProjectionRequest {
  space: EmbeddingSpace;
  entity_type: EntityType;
  /** What made the vectors. */
  encoder_id: string;
  vectors_folder: string;
  dim: number;
  /** Rows that are indexed. */
  count: number;
  /** Rows that have no item any more; they have no place. */
  dead_rows: number[];
  graph_file: string;
  /** What it is called if it is laid out anew; see Projection. */
  layout: number;
  /** The projection that there is; some rows have no place in it. */
  projection_in?: string;
  projection_out: string;
}

export interface ProjectionJobs {
  project(
    request: ProjectionRequest,
    options: { signal?: AbortSignal; onProgress?: (fraction: number) => void },
  ): Promise<void>;
}
