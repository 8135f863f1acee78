import type { RowRange } from '../../../core/ports/damage.ts';

/** @param rows Rows in ascending order. */
export function rangesOf(rows: Iterable<number>): RowRange[] {
  const ranges: RowRange[] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last?.to === row) last.to = row + 1;
    else ranges.push({ from: row, to: row + 1 });
  }
  return ranges;
}
