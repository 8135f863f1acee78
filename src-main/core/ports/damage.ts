import type { Message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { StoreCounts } from './items.ts';
import type { EmbeddingSpace } from './vector-space.ts';

/** Damaged or missing data of a generation. */
export type Damage = {
  /** What is wrong. */
  detail: Message;
  entity_type: EntityType;
} & (
  | { part: 'database' }
  /** Stored originals are missing and cannot be computed again. */
  | { part: 'originals' }
  | { part: 'index'; space: EmbeddingSpace }
  | { part: 'projection'; space: EmbeddingSpace }
  | { part: 'vectors'; space: EmbeddingSpace; rows: RowRange[] }
  | { part: 'thumbnails'; rows: RowRange[] }
);

/** Rows from `from` up to, not including, `to`. */
export interface RowRange {
  from: number;
  to: number;
}

/** `quick`: existence and length of files, and the checksums of the latest rows. `whole`: all checksums. */
export type InspectionDepth = 'quick' | 'whole';

export interface Inspection {
  damages: Damage[];
  /** Undefined when something is damaged. */
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
