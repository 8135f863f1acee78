import type { Condition } from '../../../core/ports/query.ts';

/** A text search, case-insensitive. */
export type TextTest = Pick<Condition & { name: 'files' | 'captions' }, 'op' | 'value'>;

/** Byte that ends each text. UTF-8 never contains this byte, so no match extends into the next text. */
const END = 0xff;

/** Maximum number of bytes. Positions are 32-bit integers, with which the loops below take a third of the time. */
const MAX_BYTES = 2 ** 31 - 1;

/**
 * Number of texts after a match that are tested one by one. Native search is fast, but starting it takes as long as testing some texts
 * here, and often many texts match.
 */
const LOOKED_AT = 8;

/** Texts in lower case in one UTF-8 buffer: a million of them are searched in the time in which SQLite reads some ten thousand. */
export class TextColumn {
  #bytes: Buffer = Buffer.alloc(0);
  /** End of each text, after its {@link END}. */
  #ends: Int32Array = new Int32Array();
  #count = 0;

  static restored(bytes: Uint8Array, ends: Int32Array): TextColumn {
    const texts = new TextColumn();
    texts.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    texts.#ends = ends;
    texts.#count = ends.length;
    return texts;
  }

  kept(): { bytes: Uint8Array; ends: Int32Array } {
    return { bytes: this.#bytes.subarray(0, this.size), ends: this.#ends.subarray(0, this.#count) };
  }

  get count(): number {
    return this.#count;
  }

  /** Number of bytes of all texts. */
  get size(): number {
    return this.#startOf(this.#count);
  }

  /**
   * Adds a text.
   * @throws RangeError if the texts would take more than 2 GiB.
   */
  add(text: string): void {
    const lower = text.toLowerCase();
    const start = this.#startOf(this.#count);
    // A UTF-16 unit takes at most three bytes in UTF-8.
    this.#reserve(start + lower.length * 3 + 1);
    const end = start + this.#bytes.write(lower, start);
    this.#bytes[end] = END;
    this.#ends[this.#count] = end + 1;
    this.#count += 1;
  }

  /** Returns a text, in lower case. */
  at(text: number): string {
    return this.#bytes.toString('utf8', this.#startOf(text), this.#startOf(text + 1) - 1);
  }

  /** Calls `use` with the number of each matching text from `first` on; several times if several values match. */
  forEachMatch({ op, value }: TextTest, first: number, use: (text: number) => void): void {
    if (first >= this.#count) return;
    // No text contains an unpaired surrogate.
    const searched = value.filter((one) => one.isWellFormed()).map((one) => Buffer.from(one.toLowerCase()));
    if (op === 'one_of') this.#forEachEqual(searched, first, use);
    else if (op === 'contains') for (const one of searched) this.#forEachContaining(one, first, use);
    else for (const one of searched) this.#forEachAtEdge(one, op, first, use);
  }

  #forEachContaining(searched: Uint8Array, first: number, use: (text: number) => void): void {
    const texts = this.#bytes.subarray(0, this.size);
    for (let text = first; text < this.#count; ) {
      const at = texts.indexOf(searched, this.#startOf(text));
      if (at < 0) return;
      while ((this.#ends[text] as number) <= at) text += 1;
      use(text);
      text += 1;
      for (let left = LOOKED_AT; left > 0 && text < this.#count; text += 1) {
        left -= 1;
        if (!this.#contains(text, searched)) continue;
        use(text);
        left = LOOKED_AT;
      }
    }
  }

  #forEachAtEdge(
    searched: Uint8Array,
    op: 'starts_with' | 'ends_with',
    first: number,
    use: (text: number) => void,
  ): void {
    for (let text = first; text < this.#count; text += 1) {
      const [start, end] = [this.#startOf(text), this.#startOf(text + 1) - 1];
      if (end - start < searched.length) continue;
      if (this.#isAt(op === 'starts_with' ? start : end - searched.length, searched)) use(text);
    }
  }

  #forEachEqual(searched: readonly Uint8Array[], first: number, use: (text: number) => void): void {
    const lengths = new Set(searched.map(({ length }) => length));
    const byHash = Map.groupBy(searched, (one) => hashOf(one, 0, one.length));
    for (let text = first; text < this.#count; text += 1) {
      const [start, end] = [this.#startOf(text), this.#startOf(text + 1) - 1];
      if (!lengths.has(end - start)) continue;
      const alike = byHash.get(hashOf(this.#bytes, start, end));
      if (alike?.some((one) => one.length === end - start && this.#isAt(start, one))) use(text);
    }
  }

  #contains(text: number, searched: Uint8Array): boolean {
    const [bytes, head] = [this.#bytes, searched[0]];
    const last = this.#startOf(text + 1) - 1 - searched.length;
    for (let at = this.#startOf(text); at <= last; at += 1)
      if (bytes[at] === head && this.#isAt(at, searched)) return true;
    return false;
  }

  #startOf(text: number): number {
    return text === 0 ? 0 : (this.#ends[text - 1] ?? 0);
  }

  #isAt(start: number, searched: Uint8Array): boolean {
    for (let at = 0; at < searched.length; at += 1) if (this.#bytes[start + at] !== searched[at]) return false;
    return true;
  }

  #reserve(size: number): void {
    if (size > this.#bytes.length) {
      if (size > MAX_BYTES) throw new RangeError('texts take more than 2 GiB');
      const larger = Buffer.alloc(Math.min(MAX_BYTES, Math.max(size, Math.ceil(this.#bytes.length * 1.5))));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (this.#count < this.#ends.length) return;
    const larger = new Int32Array(Math.ceil((this.#count + 16) * 1.5));
    larger.set(this.#ends);
    this.#ends = larger;
  }
}

/** FNV-1a hash (Fowler, Noll and Vo), 32 bits. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash;
}
