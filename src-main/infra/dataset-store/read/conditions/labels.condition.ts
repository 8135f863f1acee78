import { UNLABELED } from '../../../../core/ports/query.ts';
import { RowSet } from '../../../vectors/row-set.ts';
import type { Executor } from './executor.ts';

export const labels: Executor<'labels'> = ({ op, value }, { entity_type, count, columns }) => {
  const of = columns.labels[entity_type];
  const sets = value.map((label) => (label === UNLABELED ? of.without(count) : of.with(label, count)));
  const each = op === 'is' || op === 'is_not';
  const found = sets.reduce(
    (some, others) => (each ? some.and(others) : some.or(others)),
    sets[0] ?? new RowSet(count),
  );
  return op === 'is' || op === 'one_of' ? found : found.not();
};
