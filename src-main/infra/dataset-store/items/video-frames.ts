import { RowSet } from '../../vectors/row-set.ts';
import type { RankedRows } from '../explore/ranked-rows.ts';

/**
 * Returns one row for each video: its poster if `rows` has it, otherwise the first frame in `rows`. Rows that belong to no video are left
 * out.
 */
export function frameOfEachVideo(rows: RowSet, posters: Iterable<number>, videoOf: Int32Array): RowSet {
  const chosen = new RowSet(rows.size);
  const shown = new Set<number>();
  const choose = (row: number) => {
    const video = videoOf[row] ?? -1;
    if (video < 0 || shown.has(video)) return;
    shown.add(video);
    chosen.add(row);
  };
  for (const row of posters) if (rows.has(row)) choose(row);
  rows.forEach(choose);
  return chosen;
}

/** Returns the first row of each video among rows that are ranked best first. */
export function nearestOfEachVideo(ranked: RankedRows, videoOf: Int32Array): RankedRows {
  const shown = new Set<number>();
  return ranked.where((row) => {
    const video = videoOf[row] ?? -1;
    if (video < 0 || shown.has(video)) return false;
    shown.add(video);
    return true;
  });
}
