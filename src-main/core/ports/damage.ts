import type { EntityType } from '../../contract/schemas/explore.ts';

/** Something of a generation that is not as it was written. */
export interface Damage {
  part: 'database' | 'vectors' | 'thumbnails' | 'index';
  entity_type: EntityType;
  /** What is wrong, as a sentence for people. */
  detail: string;
  /** Rows that lost something, from the first up to and without the second; none where no row did. */
  rows: { from: number; to: number }[];
}

/** `quick`: that files are there and as long as they must be. `whole`: also what is in them. */
export type InspectionDepth = 'quick' | 'whole';
