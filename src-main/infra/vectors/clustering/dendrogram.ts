import { innerProduct } from '../rows.ts';

/** Sums per allocation. */
const SUMS_PER_CHUNK = 1_024;

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
  readonly #chunks: Float32Array[] = [];
  readonly #free: number[] = [];
  #nSlots = 0;
  #next: number;

  constructor(vectors: Float32Array, dim: number, count: number) {
    this.#vectors = vectors;
    this.#dim = dim;
    this.#parent = Int32Array.from({ length: 2 * count }, (_, id) => id);
    this.#size = new Int32Array(2 * count).fill(1, 0, count);
    this.#slot = new Int32Array(2 * count).fill(-1);
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
    const product = innerProduct(this.#sumsWith(a), this.#placeOf(a), this.#sumsWith(b), this.#placeOf(b), this.#dim);
    return product / (this.sizeOf(a) * this.sizeOf(b));
  }

  /** Copies the mean of a group's vectors to `target`. */
  copyMean(group: number, target: Float32Array, at: number): void {
    const [from, start] = [this.#sumsWith(group), this.#placeOf(group)];
    const scale = 1 / this.sizeOf(group);
    for (let d = 0; d < this.#dim; d += 1) target[at + d] = (from[start + d] as number) * scale;
  }

  /** Similarity of a row to the mean of a group, up to a factor per group. */
  closeness(group: number, row: number): number {
    return innerProduct(this.#sumsWith(group), this.#placeOf(group), this.#vectors, row * this.#dim, this.#dim);
  }

  /** @returns The number of the merged group. */
  merge(a: number, b: number): number {
    const group = this.#next;
    this.#next += 1;
    const [kept, other] = (this.#slot[a] ?? -1) >= 0 ? [a, b] : [b, a];
    let slot = this.#slot[kept] ?? -1;
    if (slot < 0) {
      slot = this.#takeSlot();
      const [from, start] = [this.#sumsWith(kept), this.#placeOf(kept)];
      this.#chunk(slot).set(from.subarray(start, start + this.#dim), (slot % SUMS_PER_CHUNK) * this.#dim);
    }
    const [from, start] = [this.#sumsWith(other), this.#placeOf(other)];
    const target = this.#chunk(slot);
    const at = (slot % SUMS_PER_CHUNK) * this.#dim;
    for (let d = 0; d < this.#dim; d += 1) target[at + d] = (target[at + d] as number) + (from[start + d] as number);
    const otherSlot = this.#slot[other] ?? -1;
    if (otherSlot >= 0) this.#free.push(otherSlot);
    this.#slot[group] = slot;
    this.#size[group] = this.sizeOf(a) + this.sizeOf(b);
    this.#parent[a] = group;
    this.#parent[b] = group;
    return group;
  }

  /** Array that contains a group's sum. */
  #sumsWith(group: number): Float32Array {
    const slot = this.#slot[group] as number;
    return slot < 0 ? this.#vectors : this.#chunk(slot);
  }

  /** Offset of the sum in its array. */
  #placeOf(group: number): number {
    const slot = this.#slot[group] as number;
    return (slot < 0 ? group : slot % SUMS_PER_CHUNK) * this.#dim;
  }

  #chunk(slot: number): Float32Array {
    const nth = Math.floor(slot / SUMS_PER_CHUNK);
    const known = this.#chunks[nth];
    if (known) return known;
    const chunk = new Float32Array(SUMS_PER_CHUNK * this.#dim);
    this.#chunks[nth] = chunk;
    return chunk;
  }

  #takeSlot(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    this.#nSlots += 1;
    return this.#nSlots - 1;
  }
}
