import { RowSet } from '../../vectors/row-set.ts';
import type { ConditionKind, ConditionKinds } from '../explore/condition-kind.ts';

const ROWS = {
  IMAGES: 'SELECT row FROM media WHERE media_id IN (SELECT value FROM json_each(?))',
  OBJECTS: 'SELECT row FROM object WHERE object_id IN (SELECT value FROM json_each(?))',
};

const media: ConditionKind<'media'> = {
  rows: ({ value }, { db, entity_type, count }) =>
    RowSet.of(count, db.prepare<[string], number>(ROWS[entity_type]).pluck().iterate(JSON.stringify(value))),
};

export const mediaConditions = { media } satisfies ConditionKinds;
