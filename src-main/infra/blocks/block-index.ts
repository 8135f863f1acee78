import { NAME_BYTES, type PackEntry } from './pack-file.ts';

const MIN_CAPACITY = 1024;
/** Number of hash table slots per entry. */
const SLOTS_PER_ENTRY = 2;

/** Position of a block. */
export interface BlockPlace {
  /** Number of the pack in its store. */
  pack: number;
  offset: number;
  bytes: number;
}

/**
 * The blocks of a store by name, numbered in the order in which they were added. Typed arrays and an open-addressing hash table take about
 * 60 bytes per block, a fifth of a Map of objects: a backup of a million originals has a million blocks too.
 */
export class BlockIndex {
  #count = 0;
  #names = Buffer.alloc(0);
  #bytes = new Uint32Array(0);
  #offsets = new Float64Array(0);
  #packs = new Int32Array(0);
  /** Number of a block plus one; 0 is a free slot. */
  #slots = new Uint32Array(0);

  /** Number of blocks. */
  get count(): number {
    return this.#count;
  }

  /** Adds a block. If several blocks have the same name, {@link find} returns the first. */
  add({ name, offset, bytes }: PackEntry, pack: number): void {
    if (this.#count === this.#bytes.length) this.#grow();
    const number = this.#count;
    this.#count += 1;
    name.copy(this.#names, number * NAME_BYTES);
    this.#bytes[number] = bytes;
    this.#offsets[number] = offset;
    this.#packs[number] = pack;
    this.#insert(number);
  }

  /** @returns The number of a block, undefined when it is unknown. */
  find(name: string): number | undefined {
    if (this.#count === 0) return undefined;
    const number = this.#slots[this.#slotOf(Buffer.from(name, 'hex'))];
    return number ? number - 1 : undefined;
  }

  nameOf(number: number): string {
    return this.#names.toString('hex', number * NAME_BYTES, (number + 1) * NAME_BYTES);
  }

  placeOf(number: number): BlockPlace {
    return {
      pack: this.#packs[number] ?? 0,
      offset: this.#offsets[number] ?? 0,
      bytes: this.#bytes[number] ?? 0,
    };
  }

  /** Returns the slot of a name, or the free slot for it. */
  #slotOf(name: Buffer): number {
    const mask = this.#slots.length - 1;
    for (let slot = name.readUInt32LE() & mask; ; slot = (slot + 1) & mask) {
      const at = ((this.#slots[slot] ?? 0) - 1) * NAME_BYTES;
      if (at < 0 || name.compare(this.#names, at, at + NAME_BYTES) === 0) return slot;
    }
  }

  #insert(number: number): void {
    const slot = this.#slotOf(this.#names.subarray(number * NAME_BYTES, (number + 1) * NAME_BYTES));
    if (this.#slots[slot] === 0) this.#slots[slot] = number + 1;
  }

  #grow(): void {
    const capacity = Math.max(MIN_CAPACITY, this.#bytes.length * 2);
    this.#names = Buffer.concat([this.#names], capacity * NAME_BYTES);
    this.#bytes = grown(this.#bytes, new Uint32Array(capacity));
    this.#offsets = grown(this.#offsets, new Float64Array(capacity));
    this.#packs = grown(this.#packs, new Int32Array(capacity));
    this.#slots = new Uint32Array(capacity * SLOTS_PER_ENTRY);
    for (let number = 0; number < this.#count; number += 1) this.#insert(number);
  }
}

function grown<T extends Uint32Array | Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
