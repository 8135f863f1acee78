import type { RowSet } from '../../vectors/row-set.ts';
import { type Executor, type Facts, whereItem } from '../explore/executor.ts';

export const mediaType: Executor<'media_type'> = ({ value }, facts) => {
  const { videoOf } = facts.columns.items;
  return whereItem(facts, (row) => value.includes((videoOf[row] ?? -1) < 0 ? 'image' : 'video_frame'));
};

export const pixels: Executor<'width' | 'height'> = ({ name, from, to }, facts) => {
  const { widths, heights } = facts.columns.items;
  return within(facts, name === 'width' ? widths : heights, from, to);
};

export const created: Executor<'created'> = ({ from, to }, facts) =>
  within(
    facts,
    facts.columns.items.created,
    from === undefined ? undefined : Date.parse(from),
    to === undefined ? undefined : Date.parse(to),
  );

function within(
  facts: Facts,
  column: ArrayLike<number>,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
): RowSet {
  return whereItem(facts, (row) => {
    const value = column[row] ?? Number.NaN;
    return value >= from && value <= to;
  });
}
