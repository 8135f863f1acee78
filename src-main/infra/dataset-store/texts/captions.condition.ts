import { RowSet } from '../../vectors/row-set.ts';
import type { Executor } from '../explore/executor.ts';

/** Matches the captions of items, or of the objects themselves. */
export const captions: Executor<'captions'> = (condition, { captionsFrom, first, count }) => {
  const found = new RowSet(count);
  for (const { texts, rowOf } of captionsFrom(first)) {
    texts.forEachMatch(condition, 0, (text) => {
      const row = rowOf[text] as number;
      if (row < count) found.add(row);
    });
  }
  return found;
};
