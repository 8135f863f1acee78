import type { Message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { StoreCounts } from './items.ts';
import type { ReadLimits } from './read-limits.ts';
import type { EmbeddingSpace } from './vector-space.ts';

/** Damaged or missing data of a generation. */
export type Damage = {
  /** Description of the damage. */
  detail: Message;
  entity_type: EntityType;
} & (
  | { part: 'database' }
  /** Stored originals are missing and cannot be computed again. `paths` are relative to the data folder; very long lists are cut. */
  | { part: 'originals'; paths: string[] }
  | { part: 'index'; space: EmbeddingSpace }
  | { part: 'projection'; space: EmbeddingSpace }
  | { part: 'vectors'; space: EmbeddingSpace; rows: RowRange[] }
  | { part: 'thumbnails'; rows: RowRange[] }
);

/** Range of rows: `from` is included, `to` is excluded. */
export interface RowRange {
  from: number;
  to: number;
}

/** `quick` checks existence and length of files and the checksums of the latest rows. `whole` checks all checksums. */
export type InspectionDepth = 'quick' | 'whole';

export interface Inspection {
  damages: Damage[];
  /** Undefined if something is damaged. */
  counts: StoreCounts | undefined;
}

/** Checks that the files of datasets contain the data of all rows. Opens no stores and writes nothing. */
export interface DatasetInspector {
  /**
   * @param limits Apply to a `whole` inspection.
   * @returns Undefined if the store's writer must first migrate the database.
   * @throws AppError `damaged` if the database cannot be read.
   */
  inspect(
    dataset: { dataset_id: string; generation: number },
    depth: InspectionDepth,
    limits?: ReadLimits,
  ): Promise<Inspection | undefined>;
  close(): Promise<void>;
}
