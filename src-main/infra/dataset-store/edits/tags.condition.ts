import { UNTAGGED } from '../../../core/ports/query.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { combine } from '../explore/combine.ts';
import { type ConditionKind, type ConditionKinds, stateOfEdits, whereItem } from '../explore/condition-kind.ts';
import type { Facts } from '../explore/row-facts.ts';

export const tags: ConditionKind<'tags'> = {
  stateOf: stateOfEdits,
  rows: ({ op, value }, facts) =>
    combine(
      op,
      value.map((tag) => (tag === UNTAGGED ? withAny(facts).not() : withTag(tag, facts))),
      facts.count,
    ),
};

export const tagConditions = { tags } satisfies ConditionKinds;

function withTag(tag: string, facts: Facts): RowSet {
  const { entity_type, edits, count, nItems } = facts;
  return withThoseOfImages(facts, edits.tagged(entity_type, tag, count), () => edits.tagged('IMAGES', tag, nItems));
}

function withAny(facts: Facts): RowSet {
  const { entity_type, edits, count, nItems } = facts;
  return withThoseOfImages(facts, edits.taggedAtAll(entity_type, count), () => edits.taggedAtAll('IMAGES', nItems));
}

function withThoseOfImages(facts: Facts, own: RowSet, ofImages: () => RowSet): RowSet {
  if (facts.entity_type === 'IMAGES') return own;
  const images = ofImages();
  return own.or(whereItem(facts, (row) => images.has(row)));
}
