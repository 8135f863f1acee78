/** A set of number pairs a < b in one typed array (open addressing, linear probing); grows by doubling. */
export class PairSet {
  #keys = new Float64Array(1 << 12).fill(-1);
  #n = 0;
  readonly #stride: number;

  /** @param limit Upper bound of all numbers, exclusive; limit² must be a safe integer. */
  constructor(limit: number) {
    this.#stride = limit;
  }

  /** @returns False when the set has the pair already. */
  add(a: number, b: number): boolean {
    if (this.#n * 2 >= this.#keys.length) this.#grow();
    const key = a * this.#stride + b;
    const at = placeOf(this.#keys, key);
    if (this.#keys[at] === key) return false;
    this.#keys[at] = key;
    this.#n += 1;
    return true;
  }

  #grow(): void {
    const before = this.#keys;
    this.#keys = new Float64Array(before.length * 2).fill(-1);
    for (const key of before) if (key >= 0) this.#keys[placeOf(this.#keys, key)] = key;
  }
}

function placeOf(keys: Float64Array, key: number): number {
  const mask = keys.length - 1;
  let at = (Math.imul(key % 0x7fffffff, 0x9e3779b1) ^ Math.imul(Math.floor(key / 0x7fffffff), 0x85ebca6b)) >>> 0;
  at = (at ^ (at >>> 15)) & mask;
  while (keys[at] !== -1 && keys[at] !== key) at = (at + 1) & mask;
  return at;
}
