import { RowSet } from '../../vectors/row-set.ts';
import type { RankedRows } from '../explore/ranked-rows.ts';

/** One row of each video: its poster where that was found, else its first frame that was. Rows of no video are left out. */
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

/** Of rows that are ranked best first, the first of each video. */
export function nearestOfEachVideo(ranked: RankedRows, videoOf: Int32Array): RankedRows {
  const shown = new Set<number>();
  return ranked.where((row) => {
    const video = videoOf[row] ?? -1;
    if (video < 0 || shown.has(video)) return false;
    shown.add(video);
    return true;
  });
}
