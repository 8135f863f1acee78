import { RowSet } from '../../vectors/row-set.ts';
import type { ConditionKind, ConditionKinds } from './condition-kind.ts';

/** Items that are not indexed yet have no score. */
const uniqueness: ConditionKind<'uniqueness'> = {
  rows: ({ value }, { first, count, uniqueness: scores }) =>
    RowSet.where(count, (row) => (scores[row] ?? Number.NaN) > value, first),
};

export const uniquenessConditions = { uniqueness } satisfies ConditionKinds;
