import { RowSet } from '../../vectors/row-set.ts';
import { type ConditionKind, type ConditionKinds, stateOfEdits } from '../explore/condition-kind.ts';
import type { Facts } from '../explore/row-facts.ts';
import { pairsFor } from './count-agreement.ts';
import type { Pairs } from './pairs.ts';

/** Thresholds are not exact in binary. */
const ROUNDING = 1e-6;

/** Items and objects of pairs with these classes: [Note: Agreement]. */
const agreement: ConditionKind<'agreement'> = {
  stateOf: stateOfEdits,
  rows: ({ compared, annotated, predicted, confidence_min }, facts) => {
    const { pairs } = pairsFor(facts, compared);
    const numberOf = (name: string | null) => (name === null ? -1 : pairs.names.indexOf(name));
    const [truth, guess] = [numberOf(annotated), numberOf(predicted)];
    const isUnknown = (name: string | null, number: number) => name !== null && number < 0;
    if (isUnknown(annotated, truth) || isUnknown(predicted, guess)) return new RowSet(facts.count);
    return rowsOfPairs(pairs, facts, (pair) => {
      if (pairs.annotated[pair] !== truth) return false;
      const isCounted = (pairs.confidences[pair] as number) >= confidence_min - ROUNDING;
      return (isCounted ? pairs.predicted[pair] : -1) === guess;
    });
  },
};

/** Items and objects with a prediction of this confidence. */
const confidence: ConditionKind<'confidence'> = {
  stateOf: stateOfEdits,
  rows: ({ compared, from = 0, to = 1 }, facts) => {
    const { pairs } = pairsFor(facts, compared);
    return rowsOfPairs(pairs, facts, (pair) => {
      const of = pairs.confidences[pair] as number;
      return of >= from - ROUNDING && of <= to + ROUNDING;
    });
  },
};

export const agreementConditions = { agreement, confidence } satisfies ConditionKinds;

function rowsOfPairs(pairs: Pairs, facts: Facts, holds: (pair: number) => boolean): RowSet {
  const rows = new RowSet(facts.count);
  const add = (row: number) => {
    if (row >= 0 && row < facts.count) rows.add(row);
  };
  for (let pair = 0; pair < pairs.n; pair += 1) {
    if (!holds(pair)) continue;
    if (facts.entity_type === 'IMAGES') add(pairs.images[pair] as number);
    else {
      add(pairs.annotatedRows[pair] as number);
      add(pairs.predictedRows[pair] as number);
    }
  }
  return rows;
}
