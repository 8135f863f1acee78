import type { EntityType } from '../../contract/schemas/explore.ts';
import type { EmbeddingSpace } from './vector-space.ts';

/** Something of a generation that is not as it was written. */
export type Damage = {
  /** What is wrong, as a sentence for people. */
  detail: string;
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
