import type { Condition } from '../../../core/ports/query.ts';

/** The confidence that a plan asks for duplicates with: the highest of several; undefined for other plans. */
export function duplicateThreshold(conditions: readonly Condition[]): number | undefined {
  const thresholds = conditions.flatMap((condition) => (condition.name === 'duplicates' ? [condition.value] : []));
  return thresholds.length === 0 ? undefined : Math.max(...thresholds);
}

/** The conditions for plans of videos: videos are duplicates as a whole, not by single frames. */
export function withoutDuplicates(conditions: readonly Condition[]): Condition[] {
  return conditions.filter(({ name }) => name !== 'duplicates');
}
