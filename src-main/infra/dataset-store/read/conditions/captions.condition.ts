import { RowSet } from '../../../vectors/row-set.ts';
import type { Executor } from './executor.ts';
import { matchesText } from './matches-text.ts';

const CAPTIONS = {
  IMAGES: 'SELECT row, caption FROM media JOIN caption USING (media_id) WHERE row >= ?',
  OBJECTS: 'SELECT row, caption FROM object WHERE row >= ? AND caption IS NOT NULL',
};

/** By the captions of the items, or of the objects themselves. */
export const captions: Executor<'captions'> = (condition, { db, entity_type, first, count }) => {
  const matches = matchesText(condition);
  const found = new RowSet(count);
  const all = db.prepare<[number], { row: number; caption: string }>(CAPTIONS[entity_type]).iterate(first);
  for (const { row, caption } of all) if (row < count && matches(caption.toLowerCase())) found.add(row);
  return found;
};
