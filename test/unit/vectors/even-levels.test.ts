import { expect, it } from 'vitest';
import { evenLevels } from '../../../src-main/infra/vectors/clustering/even-levels.ts';

it('steps from the finest level to the coarsest in equal ratios of clusters', () => {
  const counts = [1000, 990, 980, 900, 500, 310, 200, 100, 60, 32, 20, 10];
  expect(evenLevels(counts).map((at) => counts[at])).toEqual([1000, 310, 100, 32, 10]);
});

it.each([[[5, 5, 5, 5, 5, 5]], [[9, 9, 9, 9, 1]], [[100, 1, 1, 1, 1, 1, 1]]])(
  'gives five different ascending levels of %j',
  (counts) => {
    const chosen = evenLevels(counts);
    expect(chosen).toHaveLength(5);
    expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
  },
);
