import type { CodeSlots } from './code-slots.ts';
import { GroupVectors } from './group-vectors.ts';

/**
 * Groups of rows that only merge. The first groups are the rows; each merger gets a new number, so two numbers always name the same two sets
 * and their score stays valid.
 */
export class Dendrogram {
  /** The group that each group was merged into; itself for one that was not. */
  readonly mergedInto: Int32Array;
  readonly #rows: Int32Array;
  readonly #parent: Int32Array;
  readonly #size: Int32Array;
  readonly #vectors: GroupVectors;
  #next: number;

  /**
   * @param slots Encoded vectors of the rows; their content is lost.
   * @param rows Rows that are groups at first, ascending.
   * @param count Upper bound of row numbers, exclusive.
   */
  constructor(slots: CodeSlots, rows: Int32Array, count: number) {
    this.#rows = rows;
    this.mergedInto = Int32Array.from({ length: 2 * count }, (_, id) => id);
    this.#parent = this.mergedInto.slice();
    this.#size = new Int32Array(2 * count).fill(1, 0, count);
    this.#vectors = new GroupVectors(slots, rows, count);
    this.#next = count;
  }

  /** Upper bound of group numbers, exclusive. */
  get limit(): number {
    return this.#parent.length;
  }

  /** Number of the next group. */
  get next(): number {
    return this.#next;
  }

  /** The current group that contains a row or a merged group. */
  groupOf(id: number): number {
    const parent = this.#parent;
    let root = id;
    while (parent[root] !== root) root = parent[root] as number;
    for (let at = id; at !== root; ) {
      const next = parent[at] as number;
      parent[at] = root;
      at = next;
    }
    return root;
  }

  /** The current group of each row; -1 for rows that are in none. */
  groupsByRow(): Int32Array {
    const groupOf = new Int32Array(this.#parent.length / 2).fill(-1);
    for (const row of this.#rows) groupOf[row] = this.groupOf(row);
    return groupOf;
  }

  /** Whether a group was not merged yet. */
  isCurrent(group: number): boolean {
    return this.#parent[group] === group;
  }

  sizeOf(group: number): number {
    return this.#size[group] ?? 0;
  }

  /** Average cosine similarity of all pairs between two groups: the inner product of their sums over the product of their sizes. */
  averageSimilarity(a: number, b: number): number {
    return this.#vectors.product(a, b) / (this.sizeOf(a) * this.sizeOf(b));
  }

  /** Copies the mean of a group's vectors to `target`. */
  copyMean(group: number, target: Float32Array, at: number): void {
    const sum = this.#vectors.sumOf(group);
    const size = this.sizeOf(group);
    for (let axis = 0; axis < sum.length; axis += 1) target[at + axis] = (sum[axis] as number) / size;
  }

  /** @returns The number of the merged group. */
  merge(a: number, b: number): number {
    const group = this.#next;
    this.#next += 1;
    this.#vectors.merge(a, b, group);
    this.#size[group] = this.sizeOf(a) + this.sizeOf(b);
    for (const part of [a, b]) {
      this.#parent[part] = group;
      this.mergedInto[part] = group;
    }
    return group;
  }
}
