import type { RowSet } from '../row-set.ts';

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
