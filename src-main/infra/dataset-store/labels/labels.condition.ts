import { UNLABELED } from '../../../core/ports/query.ts';
import { combine } from '../explore/combine.ts';
import type { Executor } from '../explore/executor.ts';

export const labels: Executor<'labels'> = ({ op, value }, { count, labels: of }) =>
  combine(
    op,
    value.map((label) => (label === UNLABELED ? of.without(count) : of.with(label, count))),
    count,
  );
