import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortRows } from '../../../src-main/infra/dataset-store/explore/sort-rows.ts';

const key = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, 0, -0, Number.POSITIVE_INFINITY, -1e-310));

it('sorts rows by their keys, equal ones ascending, those without a key last', () => {
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      const all = keys.map((value, row) => ({ value, row }));
      const known = all.filter(({ value }) => !Number.isNaN(value));
      known.sort((a, b) => (a.value < b.value ? -1 : Number(a.value > b.value)) || a.row - b.row);
      const without = all.filter(({ value }) => Number.isNaN(value));
      const { rows, nKnown } = sortRows(Float64Array.from(keys));
      expect([...rows]).toEqual([...known, ...without].map(({ row }) => row));
      expect(nKnown).toBe(known.length);
    }),
  );
});
