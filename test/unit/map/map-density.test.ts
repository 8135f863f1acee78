import { expect, it } from 'vitest';
import { MAP_CELLS, PLACE_STEPS } from '../../../src-main/contract/schemas/map.ts';
import { marksOf } from '../../../src-main/infra/dataset-store/map/map-marks.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { seededRandom } from '../../../src-main/infra/vectors/rows.ts';

const N = 5000;
const random = seededRandom(1);
const drawn = {
  shown: RowSet.where(N, (row) => row % 10 !== 0),
  matching: RowSet.where(N, (row) => row % 10 !== 0 && row % 2 === 1),
  // A tenth of the positions lie within one cell.
  places: Float32Array.from({ length: N * 2 }, (_, at) =>
    at % 20 < 2 || at % 20 > 3 ? random() : 0.5 + random() / MAP_CELLS,
  ),
  colourOf: Uint8Array.from({ length: N }, (_, row) => (row % 3 === 0 ? 1 : 0)),
};
const WHOLE = { x: 0, y: 0, side: 1 };

it('the density of a map counts every item once, and the matches', () => {
  const { marks, counts, matching, colours, x, y } = marksOf(drawn, WHOLE, 100);
  expect(marks).toBe('cells');
  const sum = (numbers: Uint32Array) => numbers.reduce((total, one) => total + one, 0);
  expect(sum(counts)).toBe(drawn.shown.count);
  expect(sum(matching)).toBe(drawn.matching.count);
  const places = Array.from(x, (left, at) => `${left} ${y[at]}`);
  expect(new Set(places).size).toBe(places.length);
  expect(Math.max(...x, ...y)).toBeLessThan(PLACE_STEPS);
  // In the fullest cell, most of the matching rows have the colour 0.
  const fullest = counts.indexOf(Math.max(...counts));
  expect(counts[fullest]).toBeGreaterThan(400);
  expect(colours[fullest]).toBe(0);
});

it('a part of a map with few items has them individually, at the same positions', () => {
  const part = marksOf(drawn, { x: 0.2, y: 0.2, side: 0.1 }, 100);
  expect(part.marks).toBe('points');
  let nInside = 0;
  drawn.shown.forEach((row) => {
    const [x = 0, y = 0] = drawn.places.subarray(row * 2, row * 2 + 2);
    if (Math.min(x, y) >= 0.2 && Math.max(x, y) <= 0.3) nInside += 1;
  });
  expect(Math.abs(part.x.length - nInside)).toBeLessThanOrEqual(1);
});
