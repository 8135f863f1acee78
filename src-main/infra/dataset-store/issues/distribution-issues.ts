import type { RowSet } from '../../vectors/row-set.ts';
import { forEachInPieces } from '../columns/pieces.ts';
import { confidenceAbove } from './confidence.ts';
import { quartilesOf } from './quartiles.ts';

/** Minimum number of items from which a usual size is computed. */
const LEAST_SIZES = 8;
/** Minimum interquartile range of sizes, in powers of two: sizes within a factor of 1.4 count as one size. */
const SIZE_FLOOR = 0.5;
/** Minimum number of items from which a usual distance to the nearest neighbours is computed. */
const LEAST_DISTANCES = 30;
const DISTANCE_FLOOR = 0.05;

/**
 * Finds items far larger or smaller than most: by the fences of Tukey, "Exploratory Data Analysis", 1977, on the logarithm of the side of a
 * square of their area. Yields after every chunk of the work.
 * @param limit Interquartile ranges beyond the quartiles.
 */
export function* oddSizes(
  { widths, heights }: { widths: Int32Array; heights: Int32Array },
  alive: RowSet,
  count: number,
  limit: number,
): Generator<void, Float32Array> {
  const confidences = new Float32Array(count);
  const sideOf = (row: number) => Math.log2(Math.max(1, (widths[row] ?? 0) * (heights[row] ?? 0))) / 2;
  const rows = alive.toRows();
  const sides = new Float32Array(rows.length);
  yield* forEachInPieces(rows.length, (at) => {
    sides[at] = sideOf(rows[at] as number);
  });
  const usual = quartilesOf(sides, LEAST_SIZES, SIZE_FLOOR);
  yield;
  if (!usual) return confidences;
  yield* forEachInPieces(rows.length, (at) => {
    const row = rows[at] as number;
    const side = sideOf(row);
    const beyond = Math.max(usual.first - side, side - usual.third) / usual.range;
    confidences[row] = confidenceAbove(beyond, limit);
  });
  return confidences;
}

/**
 * Finds items far from their nearest neighbours, compared with the distances of other items from theirs: Ramaswamy, Rastogi, Shim,
 * "Efficient algorithms for mining outliers from large data sets", SIGMOD 2000, with Tukey's upper fence. Yields after every chunk of the
 * work.
 * @param distances Distance of each row from its nearest neighbours, 0 … 1.
 * @param limit Interquartile ranges above the third quartile.
 */
export function* outliers(
  distances: Float32Array,
  alive: RowSet,
  count: number,
  limit: number,
): Generator<void, Float32Array> {
  const confidences = new Float32Array(count);
  const rows = alive.below(distances.length).toRows();
  const ofRows = new Float32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) ofRows[at] = distances[rows[at] as number] as number;
  yield;
  const usual = quartilesOf(ofRows, LEAST_DISTANCES, DISTANCE_FLOOR);
  yield;
  if (!usual) return confidences;
  yield* forEachInPieces(rows.length, (at) => {
    const row = rows[at] as number;
    confidences[row] = confidenceAbove(((distances[row] as number) - usual.third) / usual.range, limit);
  });
  return confidences;
}
