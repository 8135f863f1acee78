import type { Condition, ConditionName } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { Facts } from './row-facts.ts';

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

/** Conditions that one file declares, by the names of their filters. */
export type ConditionKinds = { readonly [Name in ConditionName]?: ConditionKind<Name> };

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
