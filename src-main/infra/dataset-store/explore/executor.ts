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

/** What conditions are decided on. */
export interface Facts {
  db: Database.Database;
  entity_type: EntityType;
  /** Rows of the entity type that are decided on: `first` … count - 1. What is answered of those before does not matter. */
  first: number;
  count: number;
  /** Rows of items. */
  nItems: number;
  columns: ReturnType<Columns['read']>;
  labels: EffectiveLabels;
  labelNames: LabelNames;
  edits: EditedRows;
  metadata: CustomValues;
  /** Captions of the rows from one on, and maybe of others. */
  captionsFrom: (first: number) => readonly CaptionsOfRows[];
  /** 0 has an exact duplicate … 1 unlike anything, by row of the entity type. */
  uniqueness: Float32Array;
  issues: IssueScores;
  /** Where rows are on the map, and what its layout is called; undefined until there is one. */
  map: () => { id: string; places: Float32Array } | undefined;
  /** Rows of a cluster; none of one that there is not. */
  rowsOfCluster: (clusterId: string) => Int32Array;
  /** Groups of items that show the same, at a confidence. */
  duplicatesAt: (threshold: number) => ClusterIndex;
  /** Makes what duplicates are read from, piece by piece. */
  makeDuplicates: () => Generator<void, unknown>;
  /** How surely shown items are the same as another one, by row. */
  duplicateConfidences: () => ReadonlyMap<number, number>;
}

/** Decides one kind of condition. Rows that are not there any more may be in the answer. */
export type Executor<Name extends ConditionName> = (condition: Condition & { name: Name }, facts: Facts) => RowSet;

/** Rows whose item fulfils a test: for objects, that of the image that they are on. */
export function whereItem({ entity_type, first, count, columns }: Facts, holds: (itemRow: number) => boolean): RowSet {
  if (entity_type === 'IMAGES') return RowSet.where(count, holds, first);
  const onImage = (row: number) => {
    const image = columns.imageOf[row] ?? -1;
    return image >= 0 && holds(image);
  };
  return RowSet.where(count, onImage, first);
}
