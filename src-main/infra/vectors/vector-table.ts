/** Vectors by id in one growing buffer; removing one moves the last into its place. */
export class VectorTable {
  readonly dim: number;
  readonly #slots = new Map<number, number>();
  #ids = new Int32Array(16);
  #vectors: Float32Array;

  constructor(dim: number) {
    this.dim = dim;
    this.#vectors = new Float32Array(16 * dim);
  }

  get count(): number {
    return this.#slots.size;
  }

  /** `count` rows; valid until the table changes. */
  get vectors(): Float32Array {
    return this.#vectors.subarray(0, this.count * this.dim);
  }

  /** Ids of the rows of {@link vectors}. */
  get ids(): Int32Array {
    return this.#ids.subarray(0, this.count);
  }

  has(id: number): boolean {
    return this.#slots.has(id);
  }

  /** @throws Error for an id that the table does not know. */
  get(id: number): Float32Array {
    const slot = this.#slots.get(id);
    if (slot === undefined) throw new Error(`no vector ${id}`);
    return this.#vectors.subarray(slot * this.dim, (slot + 1) * this.dim);
  }

  set(id: number, vector: Float32Array): void {
    if (!Number.isInteger(id) || id < 0) throw new Error('an id is a whole number from 0');
    if (vector.length !== this.dim) throw new Error(`a vector has ${this.dim} numbers, not ${vector.length}`);
    let slot = this.#slots.get(id);
    if (slot === undefined) {
      slot = this.#slots.size;
      if (slot === this.#ids.length) this.#grow();
      this.#slots.set(id, slot);
      this.#ids[slot] = id;
    }
    this.#vectors.set(vector, slot * this.dim);
  }

  /** @returns Whether there was one. */
  delete(id: number): boolean {
    const slot = this.#slots.get(id);
    if (slot === undefined) return false;
    const last = this.#slots.size - 1;
    const moved = this.#ids[last] as number;
    this.#vectors.copyWithin(slot * this.dim, last * this.dim, (last + 1) * this.dim);
    this.#ids[slot] = moved;
    this.#slots.set(moved, slot);
    this.#slots.delete(id);
    return true;
  }

  fetch(ids: Int32Array): Float32Array {
    const rows = new Float32Array(ids.length * this.dim);
    ids.forEach((id, at) => {
      rows.set(this.get(id), at * this.dim);
    });
    return rows;
  }

  #grow(): void {
    const ids = new Int32Array(this.#ids.length * 2);
    ids.set(this.#ids);
    const vectors = new Float32Array(this.#vectors.length * 2);
    vectors.set(this.#vectors);
    this.#ids = ids;
    this.#vectors = vectors;
  }
}
