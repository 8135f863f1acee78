import { innerProduct } from '../rows.ts';
import { GroupSums } from './group-sums.ts';

/**
 * Groups of rows that only merge. The first groups are the rows; each merger gets a new number, so two numbers always name the same two sets
 * and their score stays valid. The sum of a single row is its vector; sums of larger groups are in reused slots, at most one per two rows.
 */
export class Dendrogram {
  readonly #vectors: Float32Array;
  readonly #dim: number;
  readonly #parent: Int32Array;
  readonly #size: Int32Array;
  readonly #slot: Int32Array;
  readonly #sums: GroupSums;
  #next: number;

  constructor(vectors: Float32Array, dim: number, count: number) {
    this.#vectors = vectors;
    this.#dim = dim;
    this.#parent = new Int32Array(2 * count);
    for (let id = 0; id < 2 * count; id += 1) this.#parent[id] = id;
    this.#size = new Int32Array(2 * count).fill(1, 0, count);
    this.#slot = new Int32Array(2 * count).fill(-1);
    this.#sums = new GroupSums(dim);
    this.#next = count;
  }

  /** Upper bound of group numbers, exclusive. */
  get limit(): number {
    return this.#parent.length;
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

  sizeOf(group: number): number {
    return this.#size[group] ?? 0;
  }

  /** Average cosine similarity of all pairs between two groups: the inner product of their sums over the product of their sizes. */
  averageSimilarity(a: number, b: number): number {
    const [slot, other] = [this.#slot[a] as number, this.#slot[b] as number];
    return this.#product(a, slot, b, other) / (this.sizeOf(a) * this.sizeOf(b));
  }

  /** Copies the mean of a group's vectors to `target`. */
  copyMean(group: number, target: Float32Array, at: number): void {
    const { floats, from } = this.#sumOf(group);
    const scale = 1 / this.sizeOf(group);
    for (let d = 0; d < this.#dim; d += 1) target[at + d] = (floats[from + d] as number) * scale;
  }

  /** Similarity of a row to the mean of a group, up to a factor per group. */
  closeness(group: number, row: number): number {
    return this.#product(row, -1, group, this.#slot[group] as number);
  }

  /** @returns The number of the merged group. */
  merge(a: number, b: number): number {
    const group = this.#next;
    this.#next += 1;
    const [kept, other] = (this.#slot[a] ?? -1) >= 0 ? [a, b] : [b, a];
    let slot = this.#slot[kept] ?? -1;
    if (slot < 0) slot = this.#sums.take(this.#vectors, kept * this.#dim);
    const { floats, from } = this.#sumOf(other);
    this.#sums.add(slot, floats, from);
    const otherSlot = this.#slot[other] ?? -1;
    if (otherSlot >= 0) this.#sums.free(otherSlot);
    this.#slot[group] = slot;
    this.#size[group] = this.sizeOf(a) + this.sizeOf(b);
    this.#parent[a] = group;
    this.#parent[b] = group;
    return group;
  }

  /** Inner product of two sums; the slot of a single row is -1. */
  #product(a: number, slotOfA: number, b: number, slotOfB: number): number {
    const [vectors, dim] = [this.#vectors, this.#dim];
    if (slotOfA >= 0 && slotOfB >= 0) return this.#sums.product(slotOfA, slotOfB);
    if (slotOfA >= 0) return this.#sums.productWith(slotOfA, vectors, b * dim);
    if (slotOfB >= 0) return this.#sums.productWith(slotOfB, vectors, a * dim);
    return innerProduct(vectors, a * dim, vectors, b * dim, dim);
  }

  #sumOf(group: number): { floats: Float32Array; from: number } {
    const slot = this.#slot[group] as number;
    return slot < 0 ? { floats: this.#vectors, from: group * this.#dim } : this.#sums.at(slot);
  }
}
