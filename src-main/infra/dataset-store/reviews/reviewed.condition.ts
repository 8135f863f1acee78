import { type ConditionKind, type ConditionKinds, stateOfEdits } from '../explore/condition-kind.ts';

/** Matches rows with a verdict of their own: an object does not inherit the verdict of its image. */
const reviewed: ConditionKind<'reviewed'> = {
  stateOf: stateOfEdits,
  rows: ({ op, value, verdict }, { entity_type, edits, count }) => {
    const found = edits.reviewed(entity_type, { queue_id: value, verdict }, count);
    return op === 'is' ? found : found.not();
  },
};

export const reviewConditions = { reviewed } satisfies ConditionKinds;
