import { expect, it } from 'vitest';
import type { ClusterLevel } from '../../../src-main/infra/vectors/clustering/cluster-file.ts';
import { makeLevel } from '../../../src-main/infra/vectors/clustering/cluster-level.ts';
import { orderSingles } from '../../../src-main/infra/vectors/clustering/order-singles.ts';
import { groupByList } from '../../../src-main/infra/vectors/rows.ts';

/** @param groups Group of each row; -1 for a row that is not clustered. */
function levelOf(groups: number[]): ClusterLevel {
  const rows = Int32Array.from(groups.keys()).filter((row) => (groups[row] ?? -1) >= 0);
  const groupOf = rows.map((row) => groups[row] ?? 0);
  return makeLevel(groupByList(groupOf, rows, Math.max(...groups) + 1), groups.length);
}

const singlesOf = ({ offsets, members }: ClusterLevel) =>
  [...members].filter((_, at) => [...offsets].some((from, cluster) => from === at && offsets[cluster + 1] === at + 1));

it('places single items of one coarser cluster side by side, and keeps every cluster contiguous', () => {
  // Rows 0 and 4, 1 and 5, 2 and 6 merge; then the first two pairs do. Rows 3 and 8 stay single; row 7 is not clustered.
  const levels = [
    levelOf([0, 1, 2, 3, 4, 5, 6, -1, 7, 8, 8]),
    levelOf([0, 1, 2, 3, 0, 1, 2, -1, 4, 5, 5]),
    levelOf([0, 0, 1, 2, 0, 0, 1, -1, 3, 4, 4]),
  ];
  const before = levels.map(({ offsets }) => [...offsets]);
  orderSingles(levels);
  const [finest, middle, coarsest] = levels;
  if (!finest || !middle || !coarsest) throw new Error('three levels');
  expect(singlesOf(finest)).toEqual([0, 4, 1, 5, 2, 6, 3, 8]);
  expect(singlesOf(middle)).toEqual([3, 8]);
  expect(levels.map(({ offsets }) => [...offsets])).toEqual(before);
  for (const { labels, offsets, members } of levels) {
    for (const [row, cluster] of labels.entries()) {
      if (row === 7) expect(cluster).toBe(-1);
      else expect([...members.subarray(offsets[cluster], offsets[cluster + 1])]).toContain(row);
    }
  }
});

it('keeps unconnected items in the order of their rows', () => {
  const levels = [levelOf([0, 1, 2, 3]), levelOf([0, 1, 2, 3])];
  orderSingles(levels);
  for (const { members } of levels) expect([...members]).toEqual([0, 1, 2, 3]);
});
