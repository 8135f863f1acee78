import { UNLABELED } from '../../../core/ports/query.ts';
import { combine } from '../explore/combine.ts';
import { type ConditionKind, type ConditionKinds, stateOfEdits } from '../explore/condition-kind.ts';

const labels: ConditionKind<'labels'> = {
  stateOf: stateOfEdits,
  rows: ({ op, value, confidence_min }, { count, labelsFrom }) => {
    const of = labelsFrom(confidence_min);
    return combine(
      op,
      value.map((label) => (label === UNLABELED ? of.without(count) : of.with(label, count))),
      count,
    );
  },
};

export const labelConditions = { labels } satisfies ConditionKinds;
