import { describe, expect, it } from 'vitest';
import { LabelTable } from '../../../src-main/infra/dataset-store/read/label-table.ts';

describe('LabelTable', () => {
  const table = new LabelTable(4, [
    { row: 0, label: 'cat' },
    { row: 0, label: 'dog' },
    { row: 1, label: 'dog' },
    { row: 3, label: 'owl' },
  ]);
  it.each([
    ['is', ['cat', 'dog'], [1, 0, 0, 0]],
    ['is', ['dog'], [1, 1, 0, 0]],
    ['is', ['dog', 'fish'], [0, 0, 0, 0]],
    ['is_not', ['cat', 'dog'], [0, 1, 1, 1]],
    ['one_of', ['cat', 'owl', 'fish'], [1, 0, 0, 1]],
    ['not_one_of', ['dog'], [0, 0, 1, 1]],
    ['one_of', ['Unlabeled', 'owl'], [0, 0, 1, 1]],
    ['is', ['Unlabeled'], [0, 0, 1, 0]],
    ['not_one_of', ['Unlabeled'], [1, 1, 0, 1]],
  ] as const)('%s %j', (op, labels, mask) => {
    expect([...table.matching({ op, labels })]).toEqual([...mask]);
  });
});
