import { DUPLICATE_LEVELS } from '../../../contract/schemas/duplicates.ts';
import { RowSet } from '../../vectors/row-set.ts';
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
/** Minimum share of the rows of a joining group that must agree with the centre by a comparison. A single row needs none. */
const COMPARED = 0.5;
/** At this level and above, the agreement with the centre suffices. */
const SURE_LEVEL = 0.9;
/** Below, this share of the compared pairs of two groups must agree for the groups to join. */
const AGREEING = 0.5;
/** Maximum number of rows of a group whose pairs are counted, the best copies. */
const MAX_COUNTED = 32;

/**
 * Groups copies into stars (Aslam, Pelekhov, Rus, "The star clustering algorithm", JGAA 8(1), 2004): the picture with the most copies and
 * those that agree with it, then the same among the rest. The copy to keep is the best one that all members agree with, so different pictures
 * do not become one group through those between them.
 *
 * This is done at each level from the highest to the threshold, and groups join as a whole. So groups of a lower confidence consist of those
 * of a higher one, and two families of copies do not join, nor a single row with a family, because a few of their pairs agree a little.
 * @param orderBest Orders rows, the best copy first.
 */
export function groupCopies(
  pairs: PairTable,
  threshold: number,
  grouped: GroupedRows,
  orderBest: (rows: Int32Array) => Int32Array,
): CopyGroups {
  const groups = new StarGroups(pairs, grouped, orderBest(rowsWithCopies(pairs, threshold, grouped.rows)));
  for (const level of DUPLICATE_LEVELS) if (level > threshold) groups.join(level);
  groups.join(threshold);
  return groups.result();
}

/** Returns the shown rows whose picture has other rows or agrees with another shown picture. */
function rowsWithCopies(pairs: PairTable, threshold: number, rows: RowSet): Int32Array {
  const shown = RowSet.of(
    rows.size,
    rows.toRows().map((row) => pairs.pictureOf(row)),
  );
  const related = new RowSet(rows.size);
  pairs.forEach(threshold, (a, b) => {
    const [one, other] = [pairs.pictureOf(a), pairs.pictureOf(b)];
    if (one === other || !shown.has(one) || !shown.has(other)) return;
    related.add(one);
    related.add(other);
  });
  for (const [picture] of pairs.equal) if (shown.has(picture as number)) related.add(picture as number);
  return rows.toRows().filter((row) => related.has(pairs.pictureOf(row)));
}

/** Groups that grow while the level falls. At first, each row is a group of its own. */
class StarGroups {
  readonly #pairs: PairTable;
  readonly #size: number;
  readonly #videoOf: Int32Array;
  /** The rows to group, the best copy first, and by row its place among them. */
  readonly #bestFirst: Int32Array;
  readonly #placeOf: Int32Array;
  /** The rows to group of each picture that several files have, by the first of these. */
  readonly #equal: ReadonlyMap<number, readonly number[]>;
  readonly #isGrouped: RowSet;
  /** By row: the copy to keep of its group. */
  readonly #keeperOf: Int32Array;
  readonly #confidences: Float32Array;
  /** Rows of the groups of two or more, by the copy to keep, the best copy first. */
  readonly #groups = new Map<number, number[]>();

  constructor(pairs: PairTable, { rows, videoOf }: GroupedRows, bestFirst: Int32Array) {
    this.#pairs = pairs;
    this.#size = rows.size;
    this.#videoOf = videoOf;
    this.#bestFirst = bestFirst;
    this.#placeOf = new Int32Array(rows.size);
    for (const [place, row] of bestFirst.entries()) this.#placeOf[row] = place;
    this.#isGrouped = RowSet.of(rows.size, bestFirst);
    this.#equal = new Map(
      pairs.equal.map((all) => [all[0] as number, [...all].filter((row) => this.#isGrouped.has(row))]),
    );
    this.#keeperOf = new Int32Array(rows.size).map((_, row) => row);
    this.#confidences = new Float32Array(rows.size);
  }

  /** Joins the groups that agree by a level. */
  join(level: number): void {
    const related = new RelatedPictures(this.#pairs, level, this.#size, (picture) => this.#rowsOf(picture).length > 0);
    const count = (row: number) => related.countOf(this.#pairs.pictureOf(row));
    const joined = new RowSet(this.#size);
    // Most rows agree only with those of their own group. The sort is stable: of pictures with equally many copies, the best one comes first.
    const centres = this.#bestFirst.filter((row) => this.#hasOthers(row, related, joined));
    for (const centre of centres.sort((a, b) => count(b) - count(a))) {
      if (!joined.has(centre) && this.#hasOthers(centre, related, joined))
        this.#joinAround(centre, level, related, joined);
    }
  }

  result(): CopyGroups {
    const rows = this.#bestFirst.filter((row) => this.#groupOf(row).length > 1).sort();
    return {
      rows,
      keepers: rows.map((row) => this.#keeperOf[row] as number),
      confidences: Float32Array.from(rows, (row) => this.#confidences[row] as number),
    };
  }

  #rowsOf(picture: number): readonly number[] {
    return this.#equal.get(picture) ?? (this.#isGrouped.has(picture) ? [picture] : []);
  }

  /** Whether a row of another group has the picture of a row, or a picture that agrees with it by a comparison. */
  #hasOthers(row: number, related: RelatedPictures, joined: RowSet): boolean {
    const keeper = this.#keeperOf[row];
    const isOther = (other: number) => this.#keeperOf[other] !== keeper && !joined.has(other);
    let hasOthers = this.#equal.get(this.#pairs.pictureOf(row))?.some(isOther) === true;
    related.eachCompared(this.#pairs.pictureOf(row), (picture) => {
      hasOthers ||= this.#equal.get(picture)?.some(isOther) ?? isOther(picture);
    });
    return hasOthers;
  }

  #groupOf(row: number): readonly number[] {
    return this.#groups.get(this.#keeperOf[row] as number) ?? [row];
  }

  /**
   * Joins the group of `centre` with the groups whose rows all agree with it, except those that were joined at this level.
   * @param joined Rows that were joined at this level. Receives the rows of the new group.
   */
  #joinAround(centre: number, level: number, related: RelatedPictures, joined: RowSet): void {
    const own = this.#groupOf(centre);
    const compared = new Set([this.#pairs.pictureOf(centre)]);
    related.eachCompared(this.#pairs.pictureOf(centre), (picture) => compared.add(picture));
    const isOther = (row: number) => this.#keeperOf[row] !== this.#keeperOf[centre] && !joined.has(row);
    const shares = related.of(this.#pairs.pictureOf(centre));
    if (!this.#agree(own, centre, shares)) return;
    const others = new Set(
      [...shares.keys()].flatMap((picture) =>
        this.#rowsOf(picture)
          .filter(isOther)
          .map((row) => this.#keeperOf[row] as number),
      ),
    );
    const joining = [...others]
      .map((other) => this.#groupOf(other))
      .filter((rows) => this.#agree(rows, centre, shares))
      .filter((rows) => this.#areCompared(rows, compared) && this.#mostlyAgree(own, rows, level));
    if (joining.length === 0) return;
    const members = [...own, ...joining.flat()].sort(
      (a, b) => (this.#placeOf[a] as number) - (this.#placeOf[b] as number),
    );
    for (const keeper of [...members.slice(0, MAX_TRIED), centre]) {
      if (this.#keep(members, keeper, related.of(this.#pairs.pictureOf(keeper)))) break;
    }
    for (const row of members) joined.add(row);
  }

  /** Makes a group around the copy to keep, if all members agree with it. */
  #keep(members: number[], keeper: number, shares: ReadonlyMap<number, number>): boolean {
    if (!this.#agree(members, keeper, shares)) return false;
    for (const row of members) {
      this.#groups.delete(row);
      this.#keeperOf[row] = keeper;
      this.#confidences[row] = shares.get(this.#pairs.pictureOf(row)) as number;
    }
    this.#groups.set(keeper, members);
    return true;
  }

  /** Whether all rows are copies of a row, given the shares of the pictures that are related to it. Frames of one video are not copies of each other. */
  #agree(rows: readonly number[], of: number, shares: ReadonlyMap<number, number>): boolean {
    return rows.every((row) => row === of || (shares.has(this.#pairs.pictureOf(row)) && !this.#isOneVideo(row, of)));
  }

  #isOneVideo(a: number, b: number): boolean {
    return (this.#videoOf[a] as number) >= 0 && this.#videoOf[a] === this.#videoOf[b];
  }

  /** Whether enough of some rows have one of the pictures. */
  #areCompared(rows: readonly number[], pictures: ReadonlySet<number>): boolean {
    const n = rows.filter((row) => pictures.has(this.#pairs.pictureOf(row))).length;
    return rows.length === 1 || n >= rows.length * COMPARED;
  }

  /** Whether enough compared pairs of two groups agree by a level. Pairs that agree by less than half are not known. */
  #mostlyAgree(one: readonly number[], other: readonly number[], level: number): boolean {
    if (level >= SURE_LEVEL || (one.length === 1 && other.length === 1)) return true;
    const shares = one
      .slice(0, MAX_COUNTED)
      .flatMap((a) => other.slice(0, MAX_COUNTED).map((b) => this.#pairs.shareOf(a, b)))
      .filter((share) => share > 0);
    return shares.filter((share) => share >= level).length >= shares.length * AGREEING;
  }
}
