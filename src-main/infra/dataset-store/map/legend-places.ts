import type { LegendEntry } from '../../../core/ports/map.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { PaintedRows } from './paint-values.ts';

/** Cells along a side of the map in which items are counted to find where an entry is dense. */
const CELLS = 24;

/** Adds to each entry the mean position of its items in the cell that has most of them: a mean of all could lie where none is. */
export function withPlaces(
  { colourOf, legend }: Pick<PaintedRows, 'colourOf' | 'legend'>,
  rows: RowSet,
  places: Float32Array,
): LegendEntry[] {
  const counts = new Uint32Array(legend.length * CELLS * CELLS);
  const cellOf = (row: number) => {
    const at = (share: number) => Math.max(0, Math.min(CELLS - 1, Math.floor(share * CELLS)));
    return at(places[row * 2 + 1] as number) * CELLS + at(places[row * 2] as number);
  };
  const bin = (row: number) => (colourOf[row] as number) * CELLS * CELLS + cellOf(row);
  rows.forEach((row) => {
    if ((colourOf[row] as number) < legend.length) counts[bin(row)] = (counts[bin(row)] as number) + 1;
  });
  const densest = legend.map((_, colour) => {
    const of = counts.subarray(colour * CELLS * CELLS, (colour + 1) * CELLS * CELLS);
    return of.reduce((best, count, cell) => (count > (of[best] as number) ? cell : best), 0);
  });
  const sums = legend.map(() => ({ x: 0, y: 0, n: 0 }));
  rows.forEach((row) => {
    const colour = colourOf[row] as number;
    const sum = sums[colour];
    if (sum === undefined || cellOf(row) !== densest[colour]) return;
    sum.x += places[row * 2] as number;
    sum.y += places[row * 2 + 1] as number;
    sum.n += 1;
  });
  return legend.map((entry, colour) => {
    const { x, y, n } = sums[colour] ?? { x: 0, y: 0, n: 0 };
    return n === 0 ? entry : { ...entry, x: x / n, y: y / n };
  });
}
