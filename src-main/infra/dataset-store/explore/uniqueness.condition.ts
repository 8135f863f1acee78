import { RowSet } from '../../vectors/row-set.ts';
import type { Executor } from './executor.ts';

/** Items that are not indexed yet have no score. */
export const uniqueness: Executor<'uniqueness'> = ({ value }, { first, count, uniqueness: scores }) =>
  RowSet.where(count, (row) => (scores[row] ?? Number.NaN) > value, first);
