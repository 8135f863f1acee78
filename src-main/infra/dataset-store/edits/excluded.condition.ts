import { type ConditionKind, type ConditionKinds, stateOfEdits, whereItem } from '../explore/condition-kind.ts';

/** An object is excluded together with its image. */
const excluded: ConditionKind<'excluded'> = {
  stateOf: stateOfEdits,
  rows: ({ value }, facts) => {
    const { entity_type, edits, count, nItems } = facts;
    const items = edits.excluded('IMAGES', nItems);
    const found =
      entity_type === 'IMAGES' ? items : whereItem(facts, (row) => items.has(row)).or(edits.excluded('OBJECTS', count));
    return value ? found : found.not();
  },
};

export const exclusionConditions = { excluded } satisfies ConditionKinds;
