import { RowSet } from '../../../vectors/row-set.ts';
import type { Executor } from './executor.ts';
import { matchesText } from './matches-text.ts';

const PATHS = {
  IMAGES: 'SELECT row, file_path FROM media JOIN file USING (file_id) WHERE row >= ?',
  OBJECTS: `SELECT object.row, file_path FROM object JOIN media USING (media_id) JOIN file USING (file_id)
    WHERE object.row >= ?`,
};

/** By the name of the file, without its folder; objects by that of their image. */
export const files: Executor<'files'> = (condition, { db, entity_type, first, count }) => {
  const matches = matchesText(condition);
  const found = new RowSet(count);
  const all = db.prepare<[number], { row: number; file_path: string }>(PATHS[entity_type]).iterate(first);
  for (const { row, file_path } of all) {
    if (row < count && matches(file_path.slice(file_path.lastIndexOf('/') + 1).toLowerCase())) found.add(row);
  }
  return found;
};
