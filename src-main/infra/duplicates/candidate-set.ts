import type { CandidatePair } from '../../core/ports/duplicates.ts';

const FIRST_ROOM = 1024;
/** Marks are the lowest bits of a number, so that an aligned pair sorts after the same pair that is not aligned. */
const [ALIGNED, MIRRORED, MARKS] = [1, 2, 4];

/** Set of candidate pairs, as numbers that sort in comparison order: 8 bytes per pair. */
export class CandidateSet {
  readonly #order: Int32Array;
  readonly #placeOf: Int32Array;
  #keys = new Float64Array(FIRST_ROOM);
  #size = 0;

  /**
   * @param order Rows, with similar rows near each other.
   * @param count Total number of rows.
   */
  constructor(order: Int32Array, count: number) {
    this.#order = order;
    this.#placeOf = new Int32Array(count).fill(-1);
    for (let place = 0; place < order.length; place += 1) this.#placeOf[order[place] as number] = place;
  }

  add({ a, b, is_mirrored, is_aligned }: CandidatePair): void {
    const [placeA, placeB] = [this.#placeOf[a] as number, this.#placeOf[b] as number];
    if (placeA < 0 || placeB < 0 || placeA === placeB) return;
    const pair = Math.min(placeA, placeB) * this.#order.length + Math.max(placeA, placeB);
    if (this.#size === this.#keys.length) {
      const larger = new Float64Array(this.#size * 2);
      larger.set(this.#keys);
      this.#keys = larger;
    }
    this.#keys[this.#size] = pair * MARKS + (is_mirrored ? MIRRORED : 0) + (is_aligned ? ALIGNED : 0);
    this.#size += 1;
  }

  *inOrder(): Generator<CandidatePair> {
    const keys = this.#keys.subarray(0, this.#size).sort();
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] as number;
      const next = keys[at + 1] ?? -1;
      if (Math.floor(next / MIRRORED) === Math.floor(key / MIRRORED)) continue;
      const pair = Math.floor(key / MARKS);
      const placeA = Math.floor(pair / this.#order.length);
      const [rowA, rowB] = [this.#order[placeA] as number, this.#order[pair - placeA * this.#order.length] as number];
      yield {
        a: Math.min(rowA, rowB),
        b: Math.max(rowA, rowB),
        is_mirrored: Math.floor(key / MIRRORED) % 2 === 1,
        is_aligned: key % 2 === 1,
      };
    }
  }
}
