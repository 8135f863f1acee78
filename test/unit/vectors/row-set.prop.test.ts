import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';

const size = fc.integer({ min: 0, max: 200 });
const rows = fc.array(fc.nat(220));
const inOrder = (set: RowSet) => [...set.toRows()];
const below = (values: Iterable<number>, limit: number) =>
  [...new Set(values)].filter((row) => row < limit).sort((a, b) => a - b);

describe('RowSet', () => {
  it('behaves as a set of numbers below its size', () => {
    fc.assert(
      fc.property(size, rows, rows, fc.nat(230), (n, some, others, first) => {
        const [a, b] = [RowSet.of(n, some), RowSet.of(n, others)];
        const [inA, inB] = [new Set(some), new Set(others)];
        expect(inOrder(a)).toEqual(below(some, n));
        expect(a.count).toBe(below(some, n).length);
        expect(inOrder(a.and(b))).toEqual(below(some, n).filter((row) => inB.has(row)));
        expect(inOrder(a.or(b))).toEqual(below([...some, ...others], n));
        expect(inOrder(a.not())).toEqual(Array.from({ length: n }, (_, row) => row).filter((row) => !inA.has(row)));
        expect(inOrder(a.below(40))).toEqual(below(some, Math.min(n, 40)));
        expect(inOrder(a.from(first))).toEqual(below(some, n).filter((row) => row >= first));
        expect(inOrder(RowSet.where(n, (row) => inA.has(row), first))).toEqual(inOrder(a.from(first)));
        for (let row = 0; row < 230; row += 1) expect(a.has(row)).toBe(row < n && inA.has(row));
      }),
    );
  });
});
