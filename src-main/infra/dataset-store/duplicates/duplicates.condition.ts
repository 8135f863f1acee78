import type { Condition } from '../../../core/ports/query.ts';
import { type ConditionKind, type ConditionKinds, stateOfEdits, whereItem } from '../explore/condition-kind.ts';

/** Objects match by the image that they are on. */
const duplicates: ConditionKind<'duplicates'> = {
  stateOf: stateOfEdits,
  rows: ({ value }, facts) => {
    const groups = facts.duplicates.items(value);
    return whereItem(facts, (row) => groups.clusterOf(row) >= 0);
  },
};

export const duplicateConditions = { duplicates } satisfies ConditionKinds;

/** Returns the confidence at which a plan asks for duplicates, the highest if there are several; undefined for other plans. */
export function duplicateThreshold(conditions: readonly Condition[]): number | undefined {
  const thresholds = conditions.flatMap((condition) => (condition.name === 'duplicates' ? [condition.value] : []));
  return thresholds.length === 0 ? undefined : Math.max(...thresholds);
}

/** Removes conditions on duplicates from plans of videos, because videos are compared as a whole, not by single frames. */
export function withoutDuplicates(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ name }) => name !== 'duplicates');
}
