import { innerProduct } from '../rows.ts';

/** Sums of one allocation. */
const SUMS_PER_CHUNK = 1_024;

/**
 * Groups of rows that only ever merge. Rows are the first groups, each merger gets a new number, so a pair of numbers names two exact sets
 * and a score of theirs never goes stale. A single row's sum is its vector; sums of larger groups live in reused slots, at most one for
 * two rows.
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

  /** Numbers are below it. */
  get limit(): number {
    return this.#parent.length;
  }

  /** The present group of a row or of a former group. */
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

  /** How close a row is to the mean of a group, up to the group's own scale. */
  closeness(group: number, row: number): number {
    return innerProduct(this.#sumsWith(group), this.#placeOf(group), this.#vectors, row * this.#dim, this.#dim);
  }

  /** @returns the number of the merger. */
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

  /** What holds a group's sum. */
  #sumsWith(group: number): Float32Array {
    const slot = this.#slot[group] as number;
    return slot < 0 ? this.#vectors : this.#chunk(slot);
  }

  /** Where in that it begins. */
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
