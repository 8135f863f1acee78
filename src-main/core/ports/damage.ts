import type { Message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { StoreCounts } from './items.ts';
import type { EmbeddingSpace } from './vector-space.ts';

/** Something of a generation that is not as it was written. */
export type Damage = {
  /** What is wrong. */
  detail: Message;
  entity_type: EntityType;
} & (
  | { part: 'database' }
  /** Files that were handed over are gone: nothing can make them again. */
  | { part: 'originals' }
  | { part: 'index'; space: EmbeddingSpace }
  | { part: 'projection'; space: EmbeddingSpace }
  | { part: 'vectors'; space: EmbeddingSpace; rows: RowRange[] }
  | { part: 'thumbnails'; rows: RowRange[] }
);

/** Rows from the first up to and without the second. */
export interface RowRange {
  from: number;
  to: number;
}

/** `quick`: that files are there and as long as they must be, and what was written last. `whole`: all that is in them. */
export type InspectionDepth = 'quick' | 'whole';

export interface Inspection {
  damages: Damage[];
  /** Undefined where something is damaged. */
  counts: StoreCounts | undefined;
}

/** Compares the files of datasets with what their rows need, without opening their stores and without writing. */
export interface DatasetInspector {
  /**
   * @returns Undefined where the database has to be brought up to date by its writer first.
   * @throws AppError `damaged` where the database cannot be read.
   */
  inspect(dataset: { dataset_id: string; generation: number }, depth: InspectionDepth): Promise<Inspection | undefined>;
  close(): Promise<void>;
}
