import type { RowSet } from '../../vectors/row-set.ts';
import type { PairTable } from './pair-table.ts';
import { RelatedPictures } from './related-pictures.ts';

/** Rows to group, and a string that changes with them. */
export interface GroupedRows {
  /** Rows that are shown. */
  rows: RowSet;
  /** Changes when the rows change. */
  state: string;
  /** Changes when something else changes than which rows are shown. */
  base: string;
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

/** Maximum number of members of a group that are tried as the copy to keep. */
const MAX_TRIED = 8;

/**
 * Groups copies into stars (Aslam, Pelekhov, Rus, "The star clustering algorithm", JGAA 8(1), 2004): the picture with the most copies and
 * those that agree with it, then the same among the rest. The copy to keep is the best one that all members agree with, so different pictures
 * do not become one group through those between them.
 * @param orderBest Orders rows, the best copy first.
 */
export function groupCopies(
  pairs: PairTable,
  threshold: number,
  { rows, videoOf }: GroupedRows,
  orderBest: (rows: Int32Array) => Int32Array,
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
    if (related.countOf(picture) > 0 || (equal.get(picture)?.length ?? 0) > 1) joined.push(row);
  });
  const bestFirst = orderBest(Int32Array.from(joined));
  const placeOf = new Int32Array(rows.size);
  for (const [place, row] of bestFirst.entries()) placeOf[row] = place;
  const count = (row: number) => related.countOf(pairs.pictureOf(row));

  const keeperOf = new Int32Array(rows.size).fill(-1);
  const confidences = new Float32Array(rows.size);
  // The sort is stable: of pictures with equally many copies, the best one comes first.
  for (const centre of bestFirst.slice().sort((a, b) => count(b) - count(a))) {
    if (keeperOf[centre] !== -1) continue;
    const members = [...related.of(pairs.pictureOf(centre)).keys()]
      .flatMap((picture) => [...rowsOf(picture)])
      // Frames of one video are not copies of each other.
      .filter((row) => row === centre || (keeperOf[row] === -1 && !isOneVideo(videoOf, row, centre)))
      .sort((a, b) => (placeOf[a] as number) - (placeOf[b] as number));
    if (members.length === 1) continue;
    for (const keeper of [...members.slice(0, MAX_TRIED), centre]) {
      const shares = related.of(pairs.pictureOf(keeper));
      const agrees = (row: number) => shares.has(pairs.pictureOf(row)) && !isOneVideo(videoOf, row, keeper);
      if (!members.every((row) => row === keeper || agrees(row))) continue;
      for (const row of members) {
        keeperOf[row] = keeper;
        confidences[row] = shares.get(pairs.pictureOf(row)) ?? 0;
      }
      break;
    }
  }
  const grouped = Int32Array.from(joined).filter((row) => keeperOf[row] !== -1);
  return {
    rows: grouped,
    keepers: grouped.map((row) => keeperOf[row] as number),
    confidences: Float32Array.from(grouped, (row) => confidences[row] as number),
  };
}

function isOneVideo(videoOf: Int32Array, a: number, b: number): boolean {
  return (videoOf[a] as number) >= 0 && videoOf[a] === videoOf[b];
}
