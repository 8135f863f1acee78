import { expect, it } from 'vitest';
import { EffectiveLabels } from '../../src-main/infra/dataset-store/labels/effective-labels.ts';
import { LabelsOfRows, SHOWN_CONFIDENCES } from '../../src-main/infra/dataset-store/labels/labels-of-rows.ts';
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
