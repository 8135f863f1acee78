import { SURE_OF_ISSUE } from '../../../contract/schemas/issues.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { Executor } from '../explore/executor.ts';

/** Matches rows that have an issue, or none, within the given confidences. Default: {@link SURE_OF_ISSUE} or higher. */
export const issues: Executor<'issues'> = ({ value, mode, from, to = 1, limits }, facts) => {
  const isNormal = value === 'normal';
  const confidences = isNormal ? facts.issues.worst(limits, facts) : facts.issues.of(value, limits, facts);
  const least = from ?? (isNormal || to < SURE_OF_ISSUE ? 0 : SURE_OF_ISSUE);
  const found = RowSet.where(facts.count, (row) => {
    const confidence = confidences[row] as number;
    if (isNormal && confidence >= SURE_OF_ISSUE) return false;
    const sure = isNormal ? 1 - confidence : confidence;
    return sure >= least && sure <= to;
  });
  return mode === 'in' ? found : found.not();
};
