import { makeLevel } from '../../vectors/clustering/cluster-level.ts';
import { highestFirst } from '../../vectors/highest-first.ts';
import { groupByList } from '../../vectors/rows.ts';
import { ClusterIndex } from '../clusters/cluster-index.ts';
import type { CopyGroups } from './copy-groups.ts';

/** Groups of copies as clusters, with each copy's relation to the copy to keep. */
export class CopyIndex extends ClusterIndex {
  /** By row: similarity to the copy to keep; 0 for rows in no group. */
  readonly #confidences: Float32Array;

  /**
   * @param count Number of rows.
   * @param worth Orders the copies of a group after the copy to keep: a greater value comes first.
   */
  constructor({ rows, keepers, confidences }: CopyGroups, count: number, worth: (row: number) => number) {
    const placing = (row: number, at: number) => (row === keepers[at] ? Number.POSITIVE_INFINITY : worth(row));
    const closestFirst = highestFirst(Float32Array.from(rows, placing));
    const inOrder = (all: Int32Array) => closestFirst.map((at) => all[at] as number);
    super(makeLevel(groupByList(inOrder(keepers), inOrder(rows), count), count));
    this.#confidences = new Float32Array(count);
    for (const [at, row] of rows.entries()) this.#confidences[row] = confidences[at] as number;
  }

  /** Returns the similarity of a row to the copy to keep of its group, 0 … 1: 1 for that copy and for equal bytes. */
  confidenceOf(row: number): number {
    return this.#confidences[row] ?? 0;
  }

  /** Returns the copy to keep of a group. */
  keeperOf(cluster: number): number {
    return this.rows(cluster)[0] ?? -1;
  }
}
