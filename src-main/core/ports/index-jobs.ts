import type { EntityType } from '../../contract/schemas/explore.ts';
import type { BuiltIndex, IndexVersion } from './vector-engine.ts';
import type { EmbeddingSpace } from './vector-space.ts';

/**
 * Input of a local job: plain data prepared by a dataset's store. Only the job and the store interpret it; the core passes it on. The store
 * publishes the job's results.
 */
export type JobInput = Readonly<Record<string, unknown>>;

/** A version of the index of a space. The engine uses the index for searches, clusters and uniqueness scores. */
export interface IndexedSpace extends IndexVersion {
  space: EmbeddingSpace;
  entity_type: EntityType;
}

/** An index job that the store has prepared. */
export interface PreparedIndex extends IndexedSpace {
  /** Linkage thresholds of the published index; undefined before the first. */
  known_thresholds: readonly number[] | undefined;
  input: JobInput;
}

/**
 * - `full` searches the neighbours of all rows and clusters all rows.
 * - `extend` searches only new rows. New rows join existing clusters, which keep their members, or form new ones.
 * - `recluster` searches only new rows, and clusters all rows again.
 */
export type IndexMode = 'full' | 'extend' | 'recluster';

export interface IndexRequest extends IndexVersion {
  mode: IndexMode;
  /**
   * Average similarities at which clusters stop merging, finest first. If fewer than five are given, the others are chosen from the
   * vectors.
   */
  linkage_thresholds: readonly number[];
  input: JobInput;
}

export interface IndexSummary {
  /** Number of clusters at each of the five thresholds, finest first. */
  n_clusters: number[];
  /** Index of the level that is shown first. */
  default_level: number;
  recall_estimate: number;
  /** The requested thresholds, completed by those chosen from the vectors. */
  linkage_thresholds: number[];
  engine_sha256: BuiltIndex['sha256'];
}

/** An index that a job has built, to be published. */
export interface BuiltSpace extends IndexedSpace {
  built: IndexSummary;
}
