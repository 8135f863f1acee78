import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { groupByList } from '../rows.ts';
import type { ClusterLevel } from './cluster-file.ts';
import { makeLevel } from './cluster-level.ts';
import type { CodeSlots } from './code-slots.ts';
import { orderMembers } from './order-members.ts';

/** Rows that are grouped, ascending, each with its place in the order in which they were grouped, and the slot of its vector. */
export interface GroupedRows {
  rows: Int32Array;
  places: Int32Array;
  slots: Int32Array;
}

/** Which groups were merged, and how many there were at each linkage threshold. */
export class MergeHistory {
  readonly #mergedInto: Int32Array;
  readonly #limits: readonly number[];
  readonly #rows: GroupedRows;
  readonly #slots: CodeSlots;

  /**
   * @param mergedInto Of each group; groups have higher numbers than their parts, and the first are the places of rows.
   * @param limits By linkage threshold: groups with lower numbers existed there.
   * @param slots Room for the vectors of the rows.
   */
  constructor(mergedInto: Int32Array, limits: readonly number[], rows: GroupedRows, slots: CodeSlots) {
    this.#mergedInto = mergedInto;
    this.#limits = limits;
    this.#rows = rows;
    this.#slots = slots;
  }

  /** Number of clusters at each linkage threshold. */
  get counts(): number[] {
    // Each merger adds one number.
    return this.#limits.map((limit) => this.#rows.rows.length - (limit - this.#count));
  }

  /**
   * Returns the clusters at linkage thresholds (default all), each with its most typical members first.
   * @param thresholds Indexes.
   */
  levels(vectors: RowVectors, thresholds: Iterable<number> = this.#limits.keys()): ClusterLevel[] {
    const levels = Array.from(thresholds, (nth) => this.#level(nth));
    const { rows, slots } = this.#rows;
    this.#slots.encode(vectors, rows, slots);
    const slotOf = new Int32Array(this.#count);
    for (let nth = 0; nth < rows.length; nth += 1) slotOf[rows[nth] as number] = slots[nth] as number;
    orderMembers(levels, this.#slots, slotOf);
    return levels;
  }

  /** The clusters at a linkage threshold, with their members by ascending row. */
  #level(nth: number): ClusterLevel {
    const limit = this.#limits[nth] ?? this.#count;
    const groupOf = new Int32Array(limit);
    for (let id = limit - 1; id >= 0; id -= 1) {
      const into = this.#mergedInto[id] as number;
      groupOf[id] = into === id || into >= limit ? id : (groupOf[into] as number);
    }
    const { rows, places } = this.#rows;
    const groups = places.map((place) => groupOf[place] as number);
    return makeLevel(groupByList(groups, rows, limit), this.#count);
  }

  /** Number of rows that have a number. */
  get #count(): number {
    return this.#mergedInto.length / 2;
  }
}
