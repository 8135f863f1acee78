import { expect, it } from 'vitest';
import { EffectiveLabels } from '../../src-main/infra/dataset-store/labels/effective-labels.ts';
import {
  LabelsOfRows,
  type LeastConfidences,
  SHOWN_CONFIDENCES,
} from '../../src-main/infra/dataset-store/labels/labels-of-rows.ts';
import { RowSet } from '../../src-main/infra/vectors/row-set.ts';

it('counts corrected labels as corrected', () => {
  const stored = new LabelsOfRows();
  for (let row = 0; row < 8; row += 1) stored.add(row, 'dog', 'own', null);
  for (let row = 0; row < 3; row += 1) stored.add(row, 'cat', 'own', null);
  for (let row = 0; row < 2; row += 1) stored.add(row, 'car', 'own', null);
  const edited = new Map([
    ['dog', RowSet.of(8, [7])],
    ['bus', RowSet.of(8, [0, 1, 2, 3])],
  ]);
  const labels = new EffectiveLabels(stored, edited, SHOWN_CONFIDENCES.IMAGES);
  const every = new RowSet(8).not();
  expect(labels.mostFrequent(every, 2)).toEqual([
    { name: 'bus', count: 4 },
    { name: 'cat', count: 3 },
  ]);
  expect(labels.mostFrequent(every.toRows(), Number.POSITIVE_INFINITY)).toEqual([
    { name: 'bus', count: 4 },
    { name: 'cat', count: 3 },
    { name: 'car', count: 2 },
    { name: 'dog', count: 1 },
  ]);
  expect(labels.mostFrequent(RowSet.of(8, [5]), 2)).toEqual([]);
});

it('hides labels that a tagger finds unlikely, unless they are asked for', () => {
  const stored = new LabelsOfRows();
  stored.add(0, 'dog', 'own', 0.2);
  stored.add(1, 'dog', 'own', 0.19);
  stored.add(2, 'dog', 'own', null);
  stored.add(3, 'dog', 'own', 0.05);
  stored.add(3, 'dog', 'of_object', 0.3);
  const rowsFrom = (least: LeastConfidences) => {
    const labels = new EffectiveLabels(stored, new Map(), least);
    const rows = [...labels.with('dog', 5).toRows()];
    expect(labels.mostFrequent(new RowSet(5).not(), 1)).toEqual([{ name: 'dog', count: rows.length }]);
    expect([...labels.without(5).not().toRows()]).toEqual(rows);
    expect([0, 1, 2, 3, 4].filter((row) => labels.labelsOf(row).includes('dog'))).toEqual(rows);
    return rows;
  };
  expect(rowsFrom(SHOWN_CONFIDENCES.IMAGES)).toEqual([0, 2, 3]);
  expect(rowsFrom({ own: 0.05, of_object: 0.31 })).toEqual([0, 1, 2, 3]);
  expect(rowsFrom({ own: 0.06, of_object: 0.31 })).toEqual([0, 1, 2]);
  expect(rowsFrom({ own: 1, of_object: 1 })).toEqual([2]);
});
