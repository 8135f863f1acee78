import { expect, it } from 'vitest';
import { CodeSlots, type SlotLimits } from '../../../src-main/infra/vectors/clustering/code-slots.ts';
import { Dendrogram } from '../../../src-main/infra/vectors/clustering/dendrogram.ts';
import { HeldVectors } from '../../../src-main/infra/vectors/row-vectors.ts';
import { innerProduct, seededRandom } from '../../../src-main/infra/vectors/rows.ts';

const ROWS = 300;
const everyRow = Int32Array.from({ length: ROWS }, (_, row) => row);
/** Pages that have no room for all slots, so that some are in the array. */
const FEW_PAGES = 13;

const ofSlots = it.each([
  { slots: 'vectors', dim: 5, limits: {}, digits: 5 },
  { slots: 'codes', dim: 40, limits: { exactComponents: 0 }, digits: 2.5 },
  { slots: 'codes beyond the memory', dim: 512, limits: { exactComponents: 0, mostPages: FEW_PAGES }, digits: 3 },
]);

function filled(dim: number, limits: SlotLimits) {
  const random = seededRandom(3);
  const floats = Float32Array.from({ length: ROWS * dim }, () => (random() - 0.3) / Math.sqrt(dim));
  const slots = new CodeSlots(dim, ROWS, limits);
  slots.encode(new HeldVectors(floats, dim), everyRow, everyRow);
  return { floats, slots, random };
}

ofSlots('slots for $slots have the products of some vectors with the sum of those', ({ dim, limits, digits }) => {
  const { floats, slots } = filled(dim, limits);
  for (const some of [everyRow, everyRow.filter((row) => row % 7 === 3), Int32Array.of(299, 4), Int32Array.of(299)]) {
    const sum = new Float32Array(dim);
    for (const row of some)
      for (let at = 0; at < dim; at += 1) sum[at] = (sum[at] ?? 0) + (floats[row * dim + at] ?? 0);
    const products = slots.productsWithSum(some);
    expect(products.length).toBe(some.length);
    for (const [nth, row] of some.entries()) {
      const expected = innerProduct(sum, 0, floats, row * dim, dim) / some.length;
      expect((products[nth] ?? 0) / some.length).toBeCloseTo(expected, digits);
    }
  }
});

ofSlots(
  'a dendrogram with slots for $slots has the average of all pairs between groups, for any order of merges',
  (of) => {
    const { dim, limits, digits } = of;
    const { floats, slots, random } = filled(dim, limits);
    const groups = new Dendrogram(slots, everyRow, ROWS);
    const members = new Map(Array.from({ length: ROWS }, (_, row) => [row, [row]]));
    while (members.size > 1) {
      const ids = [...members.keys()];
      const [a = 0] = ids.splice(Math.floor(random() * ids.length), 1);
      const [b = 0] = ids.splice(Math.floor(random() * ids.length), 1);
      const [ofA, ofB] = [members.get(a) ?? [], members.get(b) ?? []];
      const products = ofA.flatMap((x) => ofB.map((y) => innerProduct(floats, x * dim, floats, y * dim, dim)));
      const average = products.reduce((sum, value) => sum + value, 0) / products.length;
      expect(groups.averageSimilarity(a, b)).toBeCloseTo(average, digits);
      expect(groups.averageSimilarity(b, a)).toBe(groups.averageSimilarity(a, b));
      const merged = groups.merge(a, b);
      members.delete(a);
      members.delete(b);
      members.set(merged, [...ofA, ...ofB]);
      expect(groups.sizeOf(merged)).toBe(ofA.length + ofB.length);
      for (const row of [...ofA, ...ofB]) expect(groups.groupOf(row)).toBe(merged);
    }
  },
);
