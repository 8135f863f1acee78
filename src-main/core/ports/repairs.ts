import type { BoxResult } from './boxes.ts';
import type { Damage, InspectionDepth } from './damage.ts';
import type { ImageToEnrich, ObjectsToEnrich } from './enrichment.ts';
import type { ImageResult } from './local-jobs.ts';
import type { VectorSpace } from './vector-space.ts';

/** Finds damage and saves what is computed again. */
export interface RepairWrites {
  /**
   * Finds damaged parts and takes them out of use: rows that lost a part wait for {@link saveItems} or {@link saveObjects}, a damaged
   * index is computed again. Parts that could not be computed again before are found again.
   * @param looks The encoder of the space of looks, for rows that have no vector in it.
   */
  findDamage(depth: InspectionDepth, looks: VectorSpace): Promise<Damage[]>;
  /** Number of items and objects that wait, those of missing files included. */
  countLost(): Promise<number>;
  /** Lists living items that wait, after a row; keyed by row. */
  listLostItems(afterRow: number, limit: number): Promise<ImageToEnrich[]>;
  /**
   * Replaces lost vectors and thumbnails. If a file has other content by now, its item waits to be read as a changed file; if the file
   * cannot be read, the item continues to wait. An index is deleted unless all vectors are the same as before.
   * @param results Keyed by row.
   */
  saveItems(results: ImageResult[]): Promise<void>;
  listLostObjects(afterRow: number, limit: number): Promise<{ images: ObjectsToEnrich[]; last_row: number | null }>;
  /** As {@link saveItems}. @param results Keyed by row. */
  saveObjects(results: BoxResult[]): Promise<void>;
}
