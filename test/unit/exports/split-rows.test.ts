import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classesOf } from '../../../src-main/infra/exports/classes.ts';
import { splitRows } from '../../../src-main/infra/exports/split-rows.ts';

const shares = fc
  .tuple(fc.nat(10), fc.nat(10), fc.nat(10))
  .filter((all) => all.some((share) => share > 0))
  .map(([train, val, test]) => {
    const total = train + val + test;
    return { train: train / total, val: val / total, test: test / total };
  });
/** First row of each row's group; -1 for missing rows. */
const groups = fc
  .array(fc.option(fc.nat(20), { nil: -1 }), { minLength: 1, maxLength: 200 })
  .map((names) => Int32Array.from(names, (name) => (name < 0 ? -1 : names.indexOf(name))));

describe('sets of rows', () => {
  it('have every row once, complete groups, and no row of a set without a share', () => {
    fc.assert(
      fc.property(groups, shares, fc.nat(), (tiedTo, expected, seed) => {
        const setOf = splitRows(tiedTo, { shares: expected, seed });
        for (const [row, group] of tiedTo.entries()) {
          const set = setOf(row);
          if (group < 0) expect(set).toBeNull();
          else {
            expect(set).toBe(setOf(group));
            expect(set !== null && expected[set] > 0).toBe(true);
          }
        }
      }),
    );
  });

  it('are as large as their shares when there are no groups', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), shares, fc.nat(), (n, expected, seed) => {
        const setOf = splitRows(
          Int32Array.from({ length: n }, (_, row) => row),
          { shares: expected, seed },
        );
        for (const set of ['train', 'val', 'test'] as const) {
          const size = Array.from({ length: n }, (_, row) => setOf(row)).filter((one) => one === set).length;
          expect(Math.abs(size - n * expected[set])).toBeLessThanOrEqual(1 + 1e-6);
        }
      }),
    );
  });

  it('are the same for the same seed, and different for another', () => {
    const rows = Int32Array.from({ length: 100 }, (_, row) => row);
    const half = { train: 0.5, val: 0.5, test: 0 };
    const drawn = (seed: number) => [...rows].map(splitRows(rows, { shares: half, seed }));
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
  });
});

describe('classes', () => {
  const numbersOf = (found: Parameters<typeof classesOf>[0]) =>
    classesOf(found).list.map(({ label, index, id }) => [label, index, id]);

  it('keep the numbers of their source, followed by classes without number', () => {
    const found = [
      { label: 'dog', class_id: 18 },
      { label: 'ant', class_id: null },
      { label: 'cat', class_id: 17 },
      { label: 'cat', class_id: null },
    ];
    expect(numbersOf(found)).toEqual([
      ['cat', 0, 17],
      ['dog', 1, 18],
      ['ant', 2, 19],
    ]);
  });

  it.each([
    ['no numbers', [null, null]],
    ['one number for two', [3, 3]],
  ])('are numbered by name from 1 when there are %s', (_what, [first = null, second = null]) => {
    const found = [
      { label: 'dog', class_id: first },
      { label: 'cat', class_id: second },
    ];
    expect(numbersOf(found)).toEqual([
      ['cat', 0, 1],
      ['dog', 1, 2],
    ]);
  });

  it('are numbered by name when two sources disagree on a number', () => {
    const found = [
      { label: 'dog', class_id: 5 },
      { label: 'dog', class_id: 6 },
    ];
    expect(numbersOf(found)).toEqual([['dog', 0, 1]]);
  });
});
