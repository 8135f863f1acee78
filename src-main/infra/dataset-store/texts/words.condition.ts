import { type ConditionKind, type ConditionKinds, stateOfEdits } from '../explore/condition-kind.ts';
import { rowsNearWords } from './full-text.ts';

const words: ConditionKind<'words'> = {
  stateOf: stateOfEdits,
  rows: (condition, facts) => rowsNearWords(condition, condition.max_distance ?? null, facts),
};

export const wordConditions = { words } satisfies ConditionKinds;
