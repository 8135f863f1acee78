/** Initial capacity in pairs. */
const FIRST_SIZE = 1 << 12;
const NONE = -1;

/** A set of pairs of numbers from 0 on, in one typed array (open addressing, linear probing); grows by doubling. */
export class PairSet {
  /** The two numbers of each pair, one after the other. */
  #pairs = new Int32Array(2 * FIRST_SIZE).fill(NONE);
  #n = 0;

  /** @returns False when the set has the pair already. */
  add(a: number, b: number): boolean {
    if (this.#n * 4 >= this.#pairs.length) this.#grow();
    const at = placeOf(this.#pairs, a, b);
    if (this.#pairs[at] !== NONE) return false;
    this.#pairs[at] = a;
    this.#pairs[at + 1] = b;
    this.#n += 1;
    return true;
  }

  #grow(): void {
    const before = this.#pairs;
    this.#pairs = new Int32Array(before.length * 2).fill(NONE);
    this.#n = 0;
    for (let at = 0; at < before.length; at += 2) {
      if (before[at] !== NONE) this.add(before[at] as number, before[at + 1] as number);
    }
  }
}

/** Returns the place of a pair, or the empty one where it belongs. */
function placeOf(pairs: Int32Array, a: number, b: number): number {
  const mask = pairs.length - 2;
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  hash ^= hash >>> 15;
  let at = (hash << 1) & mask;
  while (pairs[at] !== NONE && (pairs[at] !== a || pairs[at + 1] !== b)) at = (at + 2) & mask;
  return at;
}
