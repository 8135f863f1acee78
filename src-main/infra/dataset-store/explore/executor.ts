import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { Condition, ConditionName } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { ClusterIndex } from '../clusters/cluster-index.ts';
import type { Columns } from '../columns/columns.ts';
import type { EditedRows } from '../edits/edited-rows.ts';
import type { IssueScores } from '../issues/issue-scores.ts';
import type { EffectiveLabels } from '../labels/effective-labels.ts';
import type { LabelNames } from '../labels/label-names.ts';
import type { CustomValues } from '../metadata/custom-values.ts';
import type { CaptionsOfRows } from '../texts/caption-texts.ts';

/** Data that conditions are evaluated on. */
export interface Facts {
  db: Database.Database;
  entity_type: EntityType;
  /** First of the rows to evaluate: `first` … count - 1. Results for earlier rows are ignored. */
  first: number;
  count: number;
  /** Number of rows of items. */
  nItems: number;
  columns: ReturnType<Columns['read']>;
  labels: EffectiveLabels;
  labelNames: LabelNames;
  edits: EditedRows;
  metadata: CustomValues;
  /** Returns the captions of the rows from `first` on. The result may include earlier rows. */
  captionsFrom: (first: number) => readonly CaptionsOfRows[];
  /** By row of the entity type: 0 has an exact duplicate … 1 is unlike any other. */
  uniqueness: Float32Array;
  issues: IssueScores;
  /** Returns the positions of rows on the map and the id of its layout; undefined without a map. */
  map: () => { id: string; places: Float32Array } | undefined;
  /** Returns the rows of a cluster; none if the cluster does not exist. */
  rowsOfCluster: (clusterId: string) => Int32Array;
  /** Returns groups of duplicate items at a confidence. */
  duplicatesAt: (threshold: number) => ClusterIndex;
  /** Loads the data of duplicates in chunks. */
  makeDuplicates: () => Generator<void, unknown>;
  /** Returns by row the confidence that a shown item is a duplicate of another one. */
  duplicateConfidences: () => ReadonlyMap<number, number>;
}

/** Evaluates one kind of condition. The result may include rows that no longer exist. */
export type Executor<Name extends ConditionName> = (condition: Condition & { name: Name }, facts: Facts) => RowSet;

/** Returns the rows whose item passes a test. For objects, the item is the image that they are on. */
export function whereItem({ entity_type, first, count, columns }: Facts, holds: (itemRow: number) => boolean): RowSet {
  if (entity_type === 'IMAGES') return RowSet.where(count, holds, first);
  const onImage = (row: number) => {
    const image = columns.imageOf[row] ?? -1;
    return image >= 0 && holds(image);
  };
  return RowSet.where(count, onImage, first);
}
