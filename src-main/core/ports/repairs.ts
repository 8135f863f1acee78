import type { BoxResult } from './boxes.ts';
import type { Damage, InspectionDepth } from './damage.ts';
import type { ImageToEnrich, ObjectsToEnrich } from './enrichment.ts';
import type { ImageResult } from './local-jobs.ts';
import type { StoreMethods } from './store-methods.ts';
import type { VectorSpace } from './vector-space.ts';

/** Finds damaged data and saves the data that is computed again. */
export interface RepairWrites {
  /**
   * Finds damaged parts and disables them: rows that lost a part wait for {@link saveItems} or {@link saveObjects}, a damaged index is
   * computed again. Parts that an earlier repair could not compute are reported again.
   * @param looks The encoder of the `looks` space, for rows without a vector in it.
   */
  findDamage(depth: InspectionDepth, looks: VectorSpace): Promise<Damage[]>;
  /** Counts the items and objects that wait for repair, including those of missing files. */
  countLost(): Promise<number>;
  /** Lists living items that wait for repair, after a row; keyed by row. */
  listLostItems(afterRow: number, limit: number): Promise<ImageToEnrich[]>;
  /**
   * Replaces lost vectors and thumbnails. If a file has other content by now, its item waits to be read as a changed file; if the file
   * cannot be read, the item continues to wait. An index is deleted unless all vectors are the same as before.
   * @param results Keyed by row.
   */
  saveItems(results: ImageResult[]): Promise<void>;
  listLostObjects(afterRow: number, limit: number): Promise<{ images: ObjectsToEnrich[]; last_row: number | null }>;
  /** Like {@link saveItems}, for objects. @param results Keyed by row. */
  saveObjects(results: BoxResult[]): Promise<void>;
}

export const repairMethods: StoreMethods<object, RepairWrites> = {
  findDamage: 'write',
  countLost: 'write',
  listLostItems: 'write',
  saveItems: 'write',
  listLostObjects: 'write',
  saveObjects: 'write',
};
