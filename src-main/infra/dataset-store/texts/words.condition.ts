import { type ConditionKind, stateOfEdits } from '../explore/condition-kind.ts';
import { rowsNearWords } from './full-text.ts';

export const words: ConditionKind<'words'> = {
  stateOf: stateOfEdits,
  rows: (condition, facts) => rowsNearWords(condition, condition.max_distance ?? null, facts),
};
