import { RowSet } from '../../../vectors/row-set.ts';
import { type Executor, whereItem } from './executor.ts';
import { matchesText } from './matches-text.ts';

/** By the name of the file, without its folder. */
export const files: Executor<'files'> = (condition, facts) => {
  const matches = matchesText(condition);
  const found = new RowSet(facts.nItems);
  const items = facts.db
    .prepare<[number], { row: number; file_path: string }>(
      'SELECT row, file_path FROM media JOIN file USING (file_id) WHERE row < ?',
    )
    .iterate(facts.nItems);
  for (const { row, file_path } of items) {
    if (matches(file_path.slice(file_path.lastIndexOf('/') + 1).toLowerCase())) found.add(row);
  }
  return whereItem(facts, (row) => found.has(row));
};
