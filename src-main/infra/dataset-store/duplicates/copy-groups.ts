import type { RowSet } from '../../vectors/row-set.ts';
import type { PairTable } from './pair-table.ts';
import { RelatedPictures } from './related-pictures.ts';

/** Rows to group, and a string that changes with them. */
export interface GroupedRows {
  /** Rows that are shown. */
  rows: RowSet;
  /** Changes when the rows change. */
  state: string;
  /** By row: the video that a frame belongs to; -1 for images. */
  videoOf: Int32Array;
}

/** Groups of copies, as parallel columns in the order of rows. */
export interface CopyGroups {
  rows: Int32Array;
  /** The copy to keep of each row's group. */
  keepers: Int32Array;
  /** Similarity of each row to the copy to keep; 1 for equal bytes. */
  confidences: Float32Array;
}

/**
 * Groups copies around the copy to keep: star clustering (Aslam, Pelekhov, Rus, "The star clustering algorithm", JGAA 8(1), 2004), with the
 * best copies as centres. Each member agrees with the centre by the threshold, so different pictures do not become one group through those
 * between them. A member that agrees with several centres belongs to the best of them.
 * @param bestFirst Orders rows, the best copy first.
 */
export function groupCopies(
  pairs: PairTable,
  threshold: number,
  { rows, videoOf }: GroupedRows,
  bestFirst: (rows: Int32Array) => Int32Array,
): CopyGroups {
  const equal = new Map(
    pairs.equal.map((all) => [pairs.pictureOf(all[0] as number), all.filter((row) => rows.has(row))]),
  );
  const rowsOf = (picture: number): Int32Array =>
    equal.get(picture) ?? (rows.has(picture) ? Int32Array.of(picture) : new Int32Array());
  const related = new RelatedPictures(pairs, threshold, rows.size, (picture) => rowsOf(picture).length > 0);
  const joined: number[] = [];
  rows.forEach((row) => {
    const picture = pairs.pictureOf(row);
    if (related.hasRelated(picture) || (equal.get(picture)?.length ?? 0) > 1) joined.push(row);
  });

  const keeperOf = new Int32Array(rows.size).fill(-1);
  const confidences = new Float32Array(rows.size);
  for (const keeper of bestFirst(Int32Array.from(joined))) {
    if (keeperOf[keeper] !== -1) continue;
    keeperOf[keeper] = keeper;
    confidences[keeper] = 1;
    for (const [picture, confidence] of related.of(pairs.pictureOf(keeper))) {
      for (const row of rowsOf(picture)) {
        // Frames of one video are not copies of each other.
        if (keeperOf[row] !== -1 || ((videoOf[row] as number) >= 0 && videoOf[row] === videoOf[keeper])) continue;
        keeperOf[row] = keeper;
        confidences[row] = confidence;
      }
    }
  }
  const hasOthers = new Uint8Array(rows.size);
  for (const row of joined) if (keeperOf[row] !== row) hasOthers[keeperOf[row] as number] = 1;
  const grouped = Int32Array.from(joined).filter((row) => hasOthers[keeperOf[row] as number] === 1);
  return {
    rows: grouped,
    keepers: grouped.map((row) => keeperOf[row] as number),
    confidences: Float32Array.from(grouped, (row) => confidences[row] as number),
  };
}
