import type { CodeSlots } from './code-slots.ts';

/** Number of slots that a sum of float32 takes. */
const FLOAT_SLOTS = 4;
const NONE = -1;
/** Value of the largest component of a sum with two bytes per component. */
const MAX_WORD = 32_767;

/**
 * The sums of the vectors of groups that only merge.
 *
 * [Note: Sums in place of codes] They take a quarter of the memory of the rows' vectors. A group of one has the code of its row, with a byte
 * per component. A group of two or three has its sum in two of its slots, with two bytes per component, and a larger one in four, with
 * float32. So mergers need no further memory, and errors do not grow with their number. Averages are off by about 0.0005 for vectors of 512
 * components. Slots of few vectors have room for float32, which is exact.
 */
export class GroupVectors {
  readonly #slots: CodeSlots;
  /** The slots of each group of two or more, {@link FLOAT_SLOTS} numbers with {@link NONE} behind the last. */
  readonly #slotsOf: Int32Array;
  /** The slot of each row. */
  readonly #slotOfRow: Int32Array;
  /** The groups at the two places for vectors that are compared. */
  readonly #compared: [number, number] = [NONE, NONE];

  /**
   * @param slots Encoded vectors of the rows; their content is lost.
   * @param rows Rows with a group of one each, ascending. The number of such a group is its row.
   * @param count Upper bound of row numbers, exclusive. As many numbers from there on are for merged groups.
   */
  constructor(slots: CodeSlots, rows: Int32Array, count: number) {
    this.#slots = slots;
    this.#slotOfRow = new Int32Array(count).fill(NONE);
    for (let slot = 0; slot < rows.length; slot += 1) this.#slotOfRow[rows[slot] as number] = slot;
    this.#slotsOf = new Int32Array(count * FLOAT_SLOTS).fill(NONE);
  }

  /** Inner product of the sums of two groups. */
  product(a: number, b: number): number {
    const { kernels, vectorBytes, floats, rowsAt, productsAt } = this.#slots;
    const [one, other] = this.#compare(a, b);
    kernels.dotProducts(one, rowsAt, 1, other, vectorBytes, productsAt);
    return floats[productsAt / 4] as number;
  }

  /** The sum of a group, valid until the next call. */
  sumOf(group: number): Float32Array {
    const [from] = this.#compare(group, group);
    return this.#slots.floats.subarray(from / 4, from / 4 + this.#slots.dim);
  }

  /** Merges two groups into a new one; their own sums are lost. */
  merge(a: number, b: number, group: number): void {
    const { kernels, vectorBytes } = this.#slots;
    const [one, other] = this.#compare(a, b);
    kernels.addVector(one, other, vectorBytes);
    this.#listSlots(b, group, this.#listSlots(a, group, 0));
    if (this.#slots.areExact) return;
    this.#write(one, group);
    const place = one === this.#slots.place(0) ? 0 : 1;
    this.#compared[place] = group;
    this.#compared[1 - place] = NONE;
  }

  /** Reads the sums of two groups, unless they were read last. @returns Their addresses. */
  #compare(a: number, b: number): [number, number] {
    const [one, other] = this.#compared;
    const at = one === b || other === a ? 1 : 0;
    const first = this.#read(a, at);
    return [first, a === b ? first : this.#read(b, 1 - at)];
  }

  /** Appends the slots of a part to those of a merged group, as far as there is room. @returns Number of slots. */
  #listSlots(part: number, group: number, n: number): number {
    const slots = this.#slotsOf;
    const into = this.#placeOf(group);
    if (part < this.#slotOfRow.length) {
      if (n < FLOAT_SLOTS) slots[into + n] = this.#slotOfRow[part] as number;
      return n + 1;
    }
    let listed = n;
    const from = this.#placeOf(part);
    for (let at = from; at < from + FLOAT_SLOTS && listed < FLOAT_SLOTS && slots[at] !== NONE; at += 1) {
      slots[into + listed] = slots[at] as number;
      listed += 1;
    }
    return listed;
  }

  /** Index of the slots of a merged group. */
  #placeOf(group: number): number {
    return (group - this.#slotOfRow.length) * FLOAT_SLOTS;
  }

  #read(group: number, place: number): number {
    const { kernels, slotBytes, vectorBytes, areExact } = this.#slots;
    const isRow = group < this.#slotOfRow.length;
    const at = isRow ? group : this.#placeOf(group);
    const first = (isRow ? this.#slotOfRow : this.#slotsOf)[at] as number;
    if (areExact) return this.#slots.address(first, place);
    const target = this.#slots.place(place);
    if (this.#compared[place] === group) return target;
    this.#compared[place] = group;
    if (isRow) {
      kernels.decode(this.#slots.load(first, 0), slotBytes, target);
      return target;
    }
    const a = this.#slots.load(first, 0);
    const b = this.#slots.load(this.#slotsOf[at + 1] as number, 1);
    const [third, fourth] = [this.#slotsOf[at + 2] as number, this.#slotsOf[at + 3] as number];
    if (fourth === NONE) {
      kernels.decodeWords(a, slotBytes, target);
      kernels.decodeWords(b, slotBytes, target + vectorBytes / 2);
    } else {
      const [c, d] = [this.#slots.load(third, 2), this.#slots.load(fourth, 3)];
      kernels.joinParts(a, b, c, d, vectorBytes / FLOAT_SLOTS, target);
    }
    return target;
  }

  /** Writes the sum of a merged group to its slots. */
  #write(from: number, group: number): void {
    const { kernels, slotBytes, vectorBytes } = this.#slots;
    const partBytes = vectorBytes / FLOAT_SLOTS;
    const at = this.#placeOf(group);
    const isOfWords = this.#slotsOf[at + FLOAT_SLOTS - 1] === NONE;
    for (let nth = 0; nth < (isOfWords ? 2 : FLOAT_SLOTS); nth += 1) {
      const slot = this.#slotsOf[at + nth] as number;
      const target = this.#slots.address(slot, nth);
      if (isOfWords) kernels.encodeWords(from + nth * 2 * partBytes, target, slotBytes, MAX_WORD);
      else kernels.copyBytes(from + nth * partBytes, target, partBytes);
      this.#slots.keep(slot, nth);
    }
  }
}
