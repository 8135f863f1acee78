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
import type { CaptionTexts } from '../texts/caption-texts.ts';

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
  captions: CaptionTexts;
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

/** Evaluates one kind of condition. Each kind is declared in the folder of its subject, in a file `*.condition.ts`. */
export interface ConditionKind<Name extends ConditionName> {
  /** Returns the rows that meet a condition. The result may include rows that no longer exist. */
  rows: (condition: Condition & { name: Name }, facts: Facts) => RowSet;
  /**
   * Returns the state of further data that the result depends on. Cached results are not used after a change of it, nor after a change of
   * rows, annotations, index, duplicates or map.
   */
  stateOf?: (condition: Condition & { name: Name }, facts: Facts) => string;
  /** Loads in chunks the data that takes long to load or compute: [Note: Needs of a call]. */
  load?: (condition: Condition & { name: Name }, factsOf: () => Facts) => Iterable<void> | AsyncIterable<void>;
}

/** {@link ConditionKind.stateOf} of conditions that depend on users' edits. */
export function stateOfEdits(_condition: Condition, { edits }: Facts): string {
  return edits.state;
}

/** Returns the rows whose item passes a test. For objects, the item is the image that they are on. */
export function whereItem({ entity_type, first, count, columns }: Facts, holds: (itemRow: number) => boolean): RowSet {
  if (entity_type === 'IMAGES') return RowSet.where(count, holds, first);
  const onImage = (row: number) => {
    const image = columns.imageOf[row] ?? -1;
    return image >= 0 && holds(image);
  };
  return RowSet.where(count, onImage, first);
}
