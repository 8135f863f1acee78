import { expect, it } from 'vitest';
import { allOf } from '../../../src-main/infra/dataset-store/columns/pieces.ts';
import { confidenceAbove, confidenceBelow } from '../../../src-main/infra/dataset-store/issues/confidence.ts';
import { oddSizes, outliers } from '../../../src-main/infra/dataset-store/issues/distribution-issues.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { seeded } from '../../support/images.ts';

const everyRow = (count: number) => RowSet.where(count, () => true);
const sure = (pieces: Generator<void, Float32Array>) => {
  const confidences = allOf(pieces);
  return [...confidences.keys()].filter((row) => (confidences[row] ?? 0) >= 0.5);
};

it('has a confidence of 0.5 at the limit, and more beyond', () => {
  expect(confidenceBelow(0.2, 0.2)).toBe(0.5);
  expect(confidenceBelow(0, 0.2)).toBe(1);
  expect(confidenceBelow(0.1, 0.2)).toBeGreaterThan(0.8);
  expect(confidenceAbove(3, 3)).toBe(0.5);
  expect(confidenceAbove(-1, 3)).toBe(0);
  expect(confidenceAbove(6, 3)).toBeGreaterThan(0.8);
});

it('finds sizes far from most, and none when all are similar', () => {
  const sides = Int32Array.from({ length: 40 }, (_, row) => (row === 7 ? 40 : row === 9 ? 9000 : 500 + row));
  expect(sure(oddSizes({ widths: sides, heights: sides }, everyRow(40), 40, 3))).toEqual([7, 9]);
  const alike = sides.fill(512, 7, 10);
  expect(sure(oddSizes({ widths: alike, heights: alike }, everyRow(40), 40, 3))).toEqual([]);
  expect(
    sure(oddSizes({ widths: Int32Array.of(10, 9000), heights: Int32Array.of(10, 9000) }, everyRow(2), 2, 3)),
  ).toEqual([]);
});

it('yields to other work after some thousands of rows', () => {
  const count = 200_000;
  const sides = new Int32Array(count).fill(500);
  let nPieces = 0;
  for (const _ of oddSizes({ widths: sides, heights: sides }, everyRow(count), count, 3)) nPieces += 1;
  expect(nPieces).toBeGreaterThanOrEqual(6);
});

it('finds items far from their neighbours, relative to others', () => {
  const random = seeded(1);
  const distances = Float32Array.from({ length: 200 }, (_, row) => (row === 11 ? 0.9 : 0.2 + 0.1 * random()));
  expect(sure(outliers(distances, everyRow(200), 200, 1.5))).toEqual([11]);
  const alive = RowSet.where(200, (row) => row !== 11);
  expect(sure(outliers(distances, alive, 200, 1.5))).toEqual([]);
  expect(sure(outliers(distances.slice(0, 20), everyRow(20), 20, 1.5))).toEqual([]);
});
