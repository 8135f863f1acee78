import { RowSet } from '../../vectors/row-set.ts';
import type { ConditionKind, ConditionKinds } from '../explore/condition-kind.ts';

/** Matches the captions of items, or of the objects themselves. */
const captions: ConditionKind<'captions'> = {
  load: function* (_condition, factsOf) {
    const { captions: all, entity_type, first } = factsOf();
    if (first === 0) yield* all.bringIn(entity_type);
  },
  rows: (condition, { captions: all, entity_type, first, count }) => {
    const found = new RowSet(count);
    for (const { texts, rowOf } of all.of(entity_type, first)) {
      texts.forEachMatch(condition, 0, (text) => {
        const row = rowOf[text] as number;
        if (row < count) found.add(row);
      });
    }
    return found;
  },
};

export const captionConditions = { captions } satisfies ConditionKinds;
