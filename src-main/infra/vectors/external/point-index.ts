import type { RowSet } from '../row-set.ts';

/** An engine outside of the process that can be used: the values of the setting `VECTOR_ENGINE` besides `built-in`. */
export const EXTERNAL_KINDS = ['qdrant', 'pgvector'] as const;
export type ExternalKind = (typeof EXTERNAL_KINDS)[number];

/** Where an external engine is reached. Plain data that is sent to threads and jobs, and never written to a dataset's folder. */
export interface EngineConnection {
  kind: ExternalKind;
  /** For qdrant an http(s) address, for pgvector a `postgresql://` address. */
  url: string;
  /** API key, or the password of the database user; empty for none. */
  key: string;
}

/**
 * Collections of points in an external engine. A point is a row number and its L2-normalised vector; similarity is the inner product.
 * Methods reject with whatever the engine or the network reports.
 */
export interface PointIndex {
  /** Creates an empty collection. */
  create(collection: string, dim: number): Promise<void>;
  exists(collection: string): Promise<boolean>;
  /** Stores vectors, replacing those of the same rows. @param vectors `dim` floats for each row. */
  upsert(collection: string, rows: Int32Array, vectors: Float32Array): Promise<void>;
  /** Deletes points; missing ones are ignored. */
  remove(collection: string, rows: Int32Array): Promise<void>;
  /** Called after a series of upserts: builds what the engine's searches need. */
  finish(collection: string, dim: number): Promise<void>;
  /**
   * Finds about the `k` nearest of the allowed rows; the filter is a part of the search, not applied to its result.
   * @param allowed Not empty. Its size is the number of rows of the collection.
   */
  search(collection: string, vector: Float32Array, k: number, allowed: RowSet): Promise<Int32Array>;
  /** Deletes a collection. Safe to repeat. */
  drop(collection: string): Promise<void>;
  close(): Promise<void>;
}
