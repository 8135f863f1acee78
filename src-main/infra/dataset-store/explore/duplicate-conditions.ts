import type { Condition } from '../../../core/ports/query.ts';

/** Returns the confidence at which a plan asks for duplicates, the highest if there are several; undefined for other plans. */
export function duplicateThreshold(conditions: readonly Condition[]): number | undefined {
  const thresholds = conditions.flatMap((condition) => (condition.name === 'duplicates' ? [condition.value] : []));
  return thresholds.length === 0 ? undefined : Math.max(...thresholds);
}

/** Removes conditions on duplicates from plans of videos, because videos are compared as a whole, not by single frames. */
export function withoutDuplicates(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ name }) => name !== 'duplicates');
}
