import { expect, it } from 'vitest';
import { firstLevel } from '../../../src-renderer/lib/first-level.ts';

const levels = (...singles: number[]) => singles.map((nSingles) => ({ n_items: 10, n_singles: nSingles }));

it.each([
  [levels(10, 8, 5, 4, 0), 3],
  [levels(4, 2, 1, 0, 0), 0],
  [levels(10, 10, 10, 10, 9), 4],
  [[], 2],
  [Array.from({ length: 5 }, () => ({ n_items: 0, n_singles: 0 })), 2],
])('shows the finest level with fewer than half singles first: %j', (counts, threshold) => {
  expect(firstLevel(counts)).toBe(threshold);
});
