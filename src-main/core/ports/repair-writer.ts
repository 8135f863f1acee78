import type { BoxResult } from './boxes.ts';
import type { Damage, InspectionDepth } from './damage.ts';
import type { ImageToEnrich, ObjectsToEnrich } from './enrichment-writer.ts';
import type { ImageResult } from './local-jobs.ts';
import type { VectorSpace } from './vector-space.ts';

/** The part of a writer that finds what is damaged and takes in what is made again. */
export interface RepairWriter {
  /**
   * Finds what is damaged and takes it out of use: rows that lost something wait for {@link mendItems} or {@link mendObjects}, an index to be
   * made anew. What could not be made again before is found again.
   * @param looks What makes the vectors of looks: copies that former versions enriched have none, and all their rows lack them.
   */
  repairDamage(depth: InspectionDepth, looks: VectorSpace): Promise<Damage[]>;
  /** Rows of items and objects that wait; those of files that are not there are among them. */
  countLost(): Promise<number>;
  /** Living items that wait, after a row; keyed by row. */
  listLostItems(afterRow: number, limit: number): Promise<ImageToEnrich[]>;
  /**
   * Puts vectors and thumbnails in the place of those that were lost. Where a file has other content by now its item waits to be read as a
   * changed file does; where it could not be read the item goes on waiting. An index is forgotten unless all vectors are what they were.
   * @param results Keyed by row.
   */
  mendItems(results: ImageResult[]): Promise<void>;
  listLostObjects(afterRow: number, limit: number): Promise<{ images: ObjectsToEnrich[]; last_row: number | null }>;
  /** As {@link mendItems}. @param results Keyed by row. */
  mendObjects(results: BoxResult[]): Promise<void>;
}
