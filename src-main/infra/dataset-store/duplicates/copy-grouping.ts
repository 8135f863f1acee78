import { RowSet } from '../../vectors/row-set.ts';
import { type CopyGroups, type GroupedRows, groupCopies } from './copy-groups.ts';
import type { PairTable } from './pair-table.ts';
import { RelatedPictures } from './related-pictures.ts';

/** Groups of copies, and the order of their rows. */
export interface OrderedCopies {
  groups: CopyGroups;
  /** By row: a smaller value is a better copy. Comparable within a group. */
  placeOf: Int32Array;
}

/**
 * The groups of copies at a threshold, as the shown rows change. Groups of pictures that no chain of pairs connects do not depend on each
 * other, so only those are made again whose chains have a row that was hidden or is shown again.
 */
export class CopyGrouping {
  readonly #pairs: PairTable;
  readonly #threshold: number;
  readonly #orderBest: (rows: Int32Array) => Int32Array;
  #near: RelatedPictures | undefined;
  #made: (OrderedCopies & { rows: RowSet }) | undefined;

  /** @param orderBest Orders rows, the best copy first. */
  constructor(pairs: PairTable, threshold: number, orderBest: (rows: Int32Array) => Int32Array) {
    this.#pairs = pairs;
    this.#threshold = threshold;
    this.#orderBest = orderBest;
  }

  of(grouped: GroupedRows): OrderedCopies {
    const made = this.#made;
    const copies = made?.rows.size === grouped.rows.size ? this.#regrouped(made, grouped) : this.#group(grouped);
    this.#made = { ...copies, rows: grouped.rows };
    return copies;
  }

  #group(grouped: GroupedRows): OrderedCopies {
    const placeOf = new Int32Array(grouped.rows.size);
    const groups = groupCopies(this.#pairs, this.#threshold, grouped, (rows) => {
      const ordered = this.#orderBest(rows);
      for (const [place, row] of ordered.entries()) placeOf[row] = place;
      return ordered;
    });
    return { groups, placeOf };
  }

  #regrouped(made: OrderedCopies & { rows: RowSet }, grouped: GroupedRows): OrderedCopies {
    const { rows } = grouped;
    const changed = made.rows.without(rows).or(rows.without(made.rows));
    if (changed.isEmpty) return made;
    const near = this.#connectedWith(changed);
    const again = this.#group({ ...grouped, rows: rows.and(near) });
    const placeOf = made.placeOf.slice();
    for (const row of again.groups.rows) placeOf[row] = again.placeOf[row] as number;
    return { groups: joined(made.groups, again.groups, near, rows.size), placeOf };
  }

  /** Returns the rows that pairs connect with some rows, directly or through others, and these themselves. */
  #connectedWith(rows: RowSet): RowSet {
    const pairs = this.#pairs;
    this.#near ??= new RelatedPictures(pairs, this.#threshold, rows.size, () => true);
    const pictures = new RowSet(rows.size);
    const waiting = Array.from(rows.toRows(), (row) => pairs.pictureOf(row));
    for (let picture = waiting.pop(); picture !== undefined; picture = waiting.pop()) {
      if (pictures.has(picture)) continue;
      pictures.add(picture);
      this.#near.eachCompared(picture, (other) => waiting.push(other));
    }
    const connected = rows.or(pictures);
    for (const equal of pairs.equal) {
      if (pictures.has(equal[0] as number)) for (const row of equal) if (row < connected.size) connected.add(row);
    }
    return connected;
  }
}

/** Returns the groups of `made`, except those of the rows that were grouped again. */
function joined(made: CopyGroups, again: CopyGroups, grouped: RowSet, size: number): CopyGroups {
  const [keeperOf, confidenceOf] = [new Int32Array(size), new Float32Array(size)];
  const rows = new RowSet(size);
  const take = (from: CopyGroups, isTaken: (row: number) => boolean) => {
    for (const [at, row] of from.rows.entries()) {
      if (!isTaken(row)) continue;
      rows.add(row);
      keeperOf[row] = from.keepers[at] as number;
      confidenceOf[row] = from.confidences[at] as number;
    }
  };
  take(made, (row) => !grouped.has(row));
  take(again, () => true);
  const inOrder = rows.toRows();
  return {
    rows: inOrder,
    keepers: inOrder.map((row) => keeperOf[row] as number),
    confidences: Float32Array.from(inOrder, (row) => confidenceOf[row] as number),
  };
}
