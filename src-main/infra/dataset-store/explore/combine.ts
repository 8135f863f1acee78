import { RowSet } from '../../vectors/row-set.ts';

/** Combines sets. `is`: in all sets; `is_not`: not in all of them; `one_of`: in at least one; `not_one_of`: in none. */
export function combine(op: 'is' | 'is_not' | 'one_of' | 'not_one_of', sets: readonly RowSet[], size: number): RowSet {
  const all = op === 'is' || op === 'is_not';
  const found = sets.reduce((some, others) => (all ? some.and(others) : some.or(others)), sets[0] ?? new RowSet(size));
  return op === 'is' || op === 'one_of' ? found : found.not();
}
