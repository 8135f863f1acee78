import type { Executor } from '../explore/executor.ts';
import { whereItem } from '../explore/executor.ts';

/** An object is excluded together with its image. */
export const excluded: Executor<'excluded'> = (_condition, facts) => {
  const { entity_type, edits, count, nItems } = facts;
  const items = edits.excluded('IMAGES', nItems);
  if (entity_type === 'IMAGES') return items;
  return whereItem(facts, (row) => items.has(row)).or(edits.excluded('OBJECTS', count));
};
