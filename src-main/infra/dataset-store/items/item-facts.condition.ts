import type { RowSet } from '../../vectors/row-set.ts';
import { type ConditionKind, type ConditionKinds, whereItem } from '../explore/condition-kind.ts';
import type { Facts } from '../explore/row-facts.ts';

export const mediaType: ConditionKind<'media_type'> = {
  rows: ({ value }, facts) => {
    const { videoOf } = facts.columns.items;
    return whereItem(facts, (row) => value.includes((videoOf[row] ?? -1) < 0 ? 'image' : 'video_frame'));
  },
};

const width: ConditionKind<'width'> = {
  rows: ({ from, to }, facts) => within(facts, facts.columns.items.widths, from, to),
};

const height: ConditionKind<'height'> = {
  rows: ({ from, to }, facts) => within(facts, facts.columns.items.heights, from, to),
};

const created: ConditionKind<'created'> = {
  rows: ({ from, to }, facts) => within(facts, facts.columns.items.created, momentOf(from), momentOf(to)),
};

const taken: ConditionKind<'taken'> = {
  rows: ({ from, to }, facts) => within(facts, facts.columns.items.taken, momentOf(from), momentOf(to)),
};

export const itemFactConditions = { media_type: mediaType, width, height, created, taken } satisfies ConditionKinds;

function momentOf(bound: string | undefined): number | undefined {
  return bound === undefined ? undefined : Date.parse(bound);
}

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
