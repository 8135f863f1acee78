import { ISSUES, SURE_OF_ISSUE } from '../../../contract/schemas/issues.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { type ConditionKind, type ConditionKinds, stateOfEdits } from '../explore/condition-kind.ts';

/** Matches rows that have an issue, or none, within the given confidences. Default: {@link SURE_OF_ISSUE} or higher. */
export const issues: ConditionKind<'issues'> = {
  stateOf: stateOfEdits,
  load: ({ value, limits }, factsOf) => factsOf().issues.make(value === 'normal' ? ISSUES : [value], limits, factsOf),
  rows: ({ value, mode, confidence_min, confidence_max: most = 1, limits }, facts) => {
    const isNormal = value === 'normal';
    const confidences = isNormal ? facts.issues.worst(limits, facts) : facts.issues.of(value, limits, facts);
    const least = confidence_min ?? (isNormal || most < SURE_OF_ISSUE ? 0 : SURE_OF_ISSUE);
    const found = RowSet.where(facts.count, (row) => {
      const confidence = confidences[row] as number;
      if (isNormal && confidence >= SURE_OF_ISSUE) return false;
      const sure = isNormal ? 1 - confidence : confidence;
      return sure >= least && sure <= most;
    });
    return mode === 'in' ? found : found.not();
  },
};

export const issueConditions = { issues } satisfies ConditionKinds;
