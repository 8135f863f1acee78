import { freeMemory } from '../free-memory.ts';

/** Initial capacity in pairs. */
const FIRST_SIZE = 1 << 12;
const NONE = -1;

/**
 * A set of pairs of numbers from 0 on, in one typed array (open addressing, linear probing). Before it grows, it forgets pairs that will not be
 * added again.
 */
export class PairSet {
  /** The two numbers of each pair, one after the other. */
  #pairs = new Int32Array(2 * FIRST_SIZE).fill(NONE);
  #n = 0;
  readonly #isNeeded: (a: number, b: number) => boolean;

  /** @param isNeeded Whether a pair may be added again. */
  constructor(isNeeded: (a: number, b: number) => boolean = () => true) {
    this.#isNeeded = isNeeded;
  }

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
    let n = 0;
    for (let at = 0; at < before.length; at += 2) {
      const [a, b] = [before[at] as number, before[at + 1] as number];
      if (a === NONE || !this.#isNeeded(a, b)) continue;
      before[2 * n] = a;
      before[2 * n + 1] = b;
      n += 1;
    }
    // Half full at most, so that it does not grow again soon.
    this.#pairs = new Int32Array(n * 8 > before.length ? before.length * 2 : before.length).fill(NONE);
    this.#n = 0;
    for (let at = 0; at < 2 * n; at += 2) this.add(before[at] as number, before[at + 1] as number);
    freeMemory(before);
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
