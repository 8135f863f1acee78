import type { RowBitmap } from '../../core/ports/vector-engine.ts';

/** Rows as a bitmap or as row numbers. */
export type Rows = RowSet | Int32Array;

/** A set of rows out of 0 … size - 1, one bit per row. */
export class RowSet implements RowBitmap {
  readonly size: number;
  readonly #words: Uint32Array;

  /** @param words The bits, least significant first; bits beyond the size must be 0. */
  constructor(size: number, words: Uint32Array = new Uint32Array(Math.ceil(size / 32))) {
    this.size = size;
    this.#words = words;
  }

  /** Returns the rows of a bitmap without a copy. */
  static from(bitmap: RowBitmap): RowSet {
    return bitmap instanceof RowSet ? bitmap : new RowSet(bitmap.size, bitmap.words);
  }

  /** Returns the rows from `first` on for which a test is true. */
  static where(size: number, holds: (row: number) => boolean, first = 0): RowSet {
    const set = new RowSet(size);
    for (let row = first; row < size; row += 1) if (holds(row)) set.add(row);
    return set;
  }

  /** Creates a set; rows from `size` on are ignored. */
  static of(size: number, rows: Iterable<number>): RowSet {
    const set = new RowSet(size);
    for (const row of rows) if (row < size) set.add(row);
    return set;
  }

  /** The bits, least significant first; not a copy. */
  get words(): Uint32Array {
    return this.#words;
  }

  get isEmpty(): boolean {
    return this.#words.every((word) => word === 0);
  }

  get count(): number {
    let count = 0;
    for (const word of this.#words) count += bitsOf(word);
    return count;
  }

  has(row: number): boolean {
    return ((this.#words[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0;
  }

  add(row: number): void {
    this.#words[row >>> 5] = (this.#words[row >>> 5] ?? 0) | (1 << (row & 31));
  }

  equals(other: RowSet): boolean {
    const [words, others] = [this.#words, other.#words];
    for (let at = 0; at < words.length; at += 1) if (words[at] !== others[at]) return false;
    return this.size === other.size;
  }

  // Loops instead of `map`: a function call per word takes ten times as long.

  /** Intersection of two sets. */
  and(other: RowSet): RowSet {
    const [words, others] = [this.#words.slice(), other.#words];
    for (let at = 0; at < words.length; at += 1) words[at] = (words[at] as number) & (others[at] ?? 0);
    return new RowSet(this.size, words);
  }

  /** Rows that are not in the other set. */
  without(other: RowSet): RowSet {
    const [words, others] = [this.#words.slice(), other.#words];
    const shared = Math.min(words.length, others.length);
    for (let at = 0; at < shared; at += 1) words[at] = (words[at] as number) & ~(others[at] as number);
    return new RowSet(this.size, words);
  }

  /** Number of the given rows that are in the set. */
  countIn(rows: Rows): number {
    let count = 0;
    if (!(rows instanceof RowSet)) {
      rows.forEach((row) => {
        if (this.has(row)) count += 1;
      });
      return count;
    }
    const other = rows;
    for (let at = 0; at < this.#words.length; at += 1) {
      count += bitsOf((this.#words[at] as number) & (other.#words[at] ?? 0));
    }
    return count;
  }

  /** Union of two sets. */
  or(other: RowSet): RowSet {
    const [words, others] = [this.#words.slice(), other.#words];
    const shared = Math.min(words.length, others.length);
    for (let at = 0; at < shared; at += 1) words[at] = (words[at] as number) | (others[at] as number);
    return new RowSet(this.size, words);
  }

  /** Complement. */
  not(): RowSet {
    const set = new RowSet(this.size, this.#words.slice());
    for (let at = 0; at < set.#words.length; at += 1) set.#words[at] = ~(set.#words[at] as number);
    const beyond = this.size & 31;
    const last = set.#words.length - 1;
    if (beyond !== 0) set.#words[last] = (set.#words[last] ?? 0) & ((1 << beyond) - 1);
    return set;
  }

  /** Returns the rows of the set below `size`, as a set of that size. */
  below(size: number): RowSet {
    if (size >= this.size) return this;
    const words = this.#words.slice(0, Math.ceil(size / 32));
    const beyond = size & 31;
    if (beyond !== 0) words[words.length - 1] = (words.at(-1) ?? 0) & ((1 << beyond) - 1);
    return new RowSet(size, words);
  }

  /** Returns the rows of the set from `first` on. */
  from(first: number): RowSet {
    if (first <= 0) return this;
    const words = this.#words.slice();
    const whole = Math.min(words.length, first >>> 5);
    words.fill(0, 0, whole);
    if (whole < words.length) words[whole] = (words[whole] as number) & (-1 << (first & 31));
    return new RowSet(this.size, words);
  }

  forEach(use: (row: number) => void): void {
    for (let at = 0; at < this.#words.length; at += 1) {
      let word = this.#words[at] as number;
      while (word !== 0) {
        use(at * 32 + 31 - Math.clz32(word & -word));
        word &= word - 1;
      }
    }
  }

  toRows(): Int32Array {
    const rows = new Int32Array(this.count);
    let at = 0;
    this.forEach((row) => {
      rows[at] = row;
      at += 1;
    });
    return rows;
  }
}

/** Number of bits that are set in a word (Warren, Hacker's Delight, 5-1). */
function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
