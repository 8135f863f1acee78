import { RowSet } from '../../vectors/row-set.ts';
import { type ConditionKind, type ConditionKinds, whereItem } from '../explore/condition-kind.ts';

/** Matches the name of the file, without its folder; for objects, the file of their image. */
const files: ConditionKind<'files'> = {
  rows: (condition, facts) => {
    const { entity_type, first, nItems, columns } = facts;
    const named = new RowSet(nItems);
    columns.items.names.forEachMatch(condition, entity_type === 'IMAGES' ? first : 0, (row) => {
      if (row < nItems) named.add(row);
    });
    return entity_type === 'IMAGES' ? named : whereItem(facts, (row) => named.has(row));
  },
};

export const fileConditions = { files } satisfies ConditionKinds;
