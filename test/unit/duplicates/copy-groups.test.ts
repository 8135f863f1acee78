import { describe, expect, it } from 'vitest';
import { groupCopies } from '../../../src-main/infra/dataset-store/duplicates/copy-groups.ts';
import { PairTable } from '../../../src-main/infra/dataset-store/duplicates/pair-table.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';

const COUNT = 12;
type Pair = readonly [a: number, b: number, share: number];

function tableOf(pairs: readonly Pair[], equal: readonly number[][]): PairTable {
  const columns = {
    a: Int32Array.from(pairs, ([a]) => a),
    b: Int32Array.from(pairs, ([, b]) => b),
    shares: Float32Array.from(pairs, ([, , share]) => share),
  };
  return new PairTable(
    columns,
    equal.map((rows) => Int32Array.from(rows)),
    COUNT,
  );
}

/** Groups by copy to keep, each with its members and their similarity in percent. Lower rows are better copies. */
function group(
  threshold: number,
  pairs: readonly Pair[],
  {
    equal = [],
    hidden = [],
    videos = {},
  }: { equal?: number[][]; hidden?: number[]; videos?: Record<number, number> } = {},
): Record<number, Record<number, number>> {
  const grouped = {
    rows: RowSet.where(COUNT, (row) => !hidden.includes(row)),
    state: '',
    base: '',
    videoOf: Int32Array.from({ length: COUNT }, (_, row) => videos[row] ?? -1),
  };
  const { rows, keepers, confidences } = groupCopies(tableOf(pairs, equal), threshold, grouped, (found) => found);
  const groups: Record<number, Record<number, number>> = {};
  for (const [at, row] of rows.entries()) {
    const members = groups[keepers[at] as number] ?? {};
    groups[keepers[at] as number] = members;
    members[row] = Math.round((confidences[at] as number) * 100);
  }
  return groups;
}

describe('groups of copies', () => {
  it('have members that each agree with the copy to keep', () => {
    const pairs: Pair[] = [
      [0, 1, 0.97],
      [0, 2, 0.96],
      [3, 4, 0.99],
    ];
    expect(group(0.95, pairs)).toEqual({ 0: { 0: 100, 1: 97, 2: 96 }, 3: { 3: 100, 4: 99 } });
    expect(group(0.98, pairs)).toEqual({ 3: { 3: 100, 4: 99 } });
  });

  it('do not chain different pictures through similar ones', () => {
    const chain = Array.from({ length: 10 }, (_, row): Pair => [row, row + 1, 0.82]);
    const sizes = Object.values(group(0.8, chain)).map((members) => Object.keys(members).length);
    expect(Math.max(...sizes)).toBe(3);
  });

  it('do not join two families of copies because a few of their pairs agree a little', () => {
    const family = (rows: readonly number[]) =>
      rows.flatMap((a, at) => rows.slice(at + 1).map((b): Pair => [a, b, 0.99]));
    // Row 1 agrees with more pictures than any other, so it would be the centre of both families.
    const between: Pair[] = [
      [1, 5, 0.82],
      [1, 6, 0.82],
    ];
    const pairs = [...family([0, 1, 2, 3]), ...between, ...family([4, 5, 6, 7, 8])].sort(
      ([a, b], [c, d]) => a - c || b - d,
    );
    const both = { 0: { 0: 100, 1: 99, 2: 99, 3: 99 }, 4: { 4: 100, 5: 99, 6: 99, 7: 99, 8: 99 } };
    expect(group(0.95, pairs)).toEqual(both);
    expect(group(0.8, pairs)).toEqual(both);
  });

  it('do not take in a picture that agrees a little with one copy and less with others', () => {
    const sorted = (pairs: Pair[]) => pairs.sort(([a, b], [c, d]) => a - c || b - d);
    const family = [0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].filter((b) => b > a).map((b): Pair => [a, b, 0.99]));
    const less: Pair[] = [
      [0, 9, 0.7],
      [1, 9, 0.7],
    ];
    const groups = { 0: { 0: 100, 1: 99, 2: 99, 3: 99 } };
    expect(group(0.8, sorted([...family, ...less, [2, 9, 0.82]]))).toEqual(groups);
    expect(group(0.8, sorted([...family, [2, 9, 0.82]]))).toEqual({ 0: { ...groups[0], 9: 81 } });
  });

  it('join as a whole when the threshold falls', () => {
    const pairs: Pair[] = [
      [0, 1, 0.99],
      [0, 2, 0.86],
      [0, 3, 0.86],
      [1, 2, 0.86],
      [2, 3, 0.99],
    ];
    const pair = { 0: { 0: 100, 1: 99 }, 2: { 2: 100, 3: 99 } };
    expect(group(0.9, pairs)).toEqual(pair);
    expect(group(0.85, pairs)).toEqual({ 0: { 0: 100, 1: 99, 2: 86, 3: 86 } });
  });

  it('relate copies through one other copy, by a lower bound of agreement', () => {
    const pairs: Pair[] = [
      [0, 1, 0.98],
      [1, 2, 0.98],
      [2, 3, 0.98],
    ];
    expect(group(0.95, pairs)).toEqual({ 1: { 0: 98, 1: 100, 2: 98, 3: 96 } });
    expect(group(0.97, pairs)).toEqual({ 1: { 0: 98, 1: 100, 2: 98 } });
  });

  it('keep the best copy that all others agree with', () => {
    const pairs: Pair[] = [
      [0, 2, 0.99],
      [1, 2, 0.99],
      [2, 3, 0.99],
    ];
    // Through row 2, row 0 agrees with all others by 0.98 at least.
    expect(group(0.975, pairs)).toEqual({ 0: { 0: 100, 1: 98, 2: 99, 3: 98 } });
    expect(group(0.985, pairs)).toEqual({ 2: { 0: 99, 1: 99, 2: 100, 3: 99 } });
  });

  it('report the agreement of equal bytes with the copy to keep, not with each other', () => {
    const pairs: Pair[] = [[0, 1, 0.97]];
    expect(group(0.95, pairs, { equal: [[1, 5, 6]] })).toEqual({ 0: { 0: 100, 1: 97, 5: 97, 6: 97 } });
    // The first row was compared for all of them, and stands for them while it is hidden.
    expect(group(0.95, pairs, { equal: [[1, 5, 6]], hidden: [1] })).toEqual({ 0: { 0: 100, 5: 97, 6: 97 } });
    expect(group(1, pairs, { equal: [[1, 5, 6]] })).toEqual({ 1: { 1: 100, 5: 100, 6: 100 } });
  });

  it('do not treat frames of one video as copies of each other', () => {
    const videos = { 0: 1, 1: 1, 2: 2 };
    expect(
      group(
        0.95,
        [
          [0, 2, 0.97],
          [1, 2, 0.98],
        ],
        { videos },
      ),
    ).toEqual({ 2: { 0: 97, 1: 98, 2: 100 } });
    expect(group(0.95, [], { equal: [[0, 1, 2]], videos })).toEqual({ 2: { 0: 100, 1: 100, 2: 100 } });
  });
});
