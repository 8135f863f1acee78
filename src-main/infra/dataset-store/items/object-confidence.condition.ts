import { RowSet } from '../../vectors/row-set.ts';
import type { ConditionKind, ConditionKinds } from '../explore/condition-kind.ts';

const BELOW = 'SELECT row FROM object WHERE confidence < ?';
/** Thresholds are not exact in binary. */
const ROUNDING = 1e-6;

/** Objects that a model found with at least a confidence, and all that people annotated. Items are not tested. */
const objectConfidence: ConditionKind<'object_confidence'> = {
  rows: ({ value }, { db, entity_type, count }) => {
    if (entity_type === 'IMAGES') return new RowSet(count).not();
    const below = new RowSet(count);
    const all = db.prepare<[number], number>(BELOW).pluck();
    for (const row of all.iterate(value - ROUNDING)) if (row < count) below.add(row);
    return below.not();
  },
};

export const objectConfidenceConditions = { object_confidence: objectConfidence } satisfies ConditionKinds;
