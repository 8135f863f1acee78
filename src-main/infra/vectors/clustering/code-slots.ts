import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { eachBlock } from '../row-vectors.ts';
import { CODED_COMPONENTS, codeBytes, MAX_COMPONENT, SCALE_BYTES } from '../vector-codes.ts';
import { MAX_PAGES, PAGE_BYTES, type VectorKernels, vectorKernels } from '../vector-kernels.ts';

/** Number of vectors in the memory that are encoded or compared together. */
export const PLACES = 256;

export interface SlotLimits {
  /** Number of components of all vectors from which slots have room for codes only. */
  exactComponents?: number;
  /** Maximum size of the memory in pages. */
  mostPages?: number;
}

/**
 * Numbered slots that have room for the code of one vector each: a byte per component, and a scale. Those of few vectors have room for the
 * vectors themselves. They are in a memory of the kernels, behind {@link PLACES} places for vectors that are compared. Slots that do not fit
 * into its 4 GiB are in an array, and are copied to the memory while they are used.
 */
export class CodeSlots {
  readonly dim: number;
  /** Whether slots have room for vectors of float32. */
  readonly areExact: boolean;
  readonly slotBytes: number;
  /** Size of a vector of float32 as the kernels take it. */
  readonly vectorBytes: number;
  readonly kernels: VectorKernels;
  readonly floats: Float32Array;
  /** Addresses of {@link PLACES} row numbers, 0 and up, and of as many products. */
  readonly rowsAt = 0;
  readonly productsAt = PLACES * 4;
  /** Numbers of slots, counted from the first copy. */
  readonly #numbers: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #placesAt = PLACES * 12;
  readonly #copiesAt: number;
  readonly #slotsAt: number;
  readonly #nInMemory: number;
  readonly #others: Uint8Array;

  constructor(dim: number, nSlots: number, limits: SlotLimits = {}) {
    const { exactComponents = CODED_COMPONENTS, mostPages = MAX_PAGES } = limits;
    this.dim = dim;
    this.vectorBytes = (codeBytes(dim) - SCALE_BYTES) * 4;
    this.areExact = nSlots * dim < exactComponents;
    this.slotBytes = this.areExact ? this.vectorBytes : codeBytes(dim);
    this.#copiesAt = this.#placesAt + PLACES * this.vectorBytes;
    this.#slotsAt = this.#copiesAt + PLACES * this.slotBytes;
    const most = Math.floor((mostPages * PAGE_BYTES - this.#slotsAt) / this.slotBytes / PLACES) * PLACES;
    this.#nInMemory = Math.min(nSlots, most);
    const nPages = Math.ceil((this.#slotsAt + this.#nInMemory * this.slotBytes) / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: nPages, maximum: MAX_PAGES, shared: true });
    this.kernels = vectorKernels(memory);
    this.#bytes = new Uint8Array(memory.buffer);
    this.floats = new Float32Array(memory.buffer);
    new Int32Array(memory.buffer, this.rowsAt, PLACES).set(Int32Array.from({ length: PLACES }, (_, row) => row));
    this.#numbers = new Int32Array(memory.buffer, PLACES * 8, PLACES);
    this.#others = new Uint8Array((nSlots - this.#nInMemory) * this.slotBytes);
  }

  /** Writes the vectors of rows, ascending. @param slots The slot of each. */
  encode(vectors: RowVectors, rows: Int32Array, slots: Int32Array): void {
    const { dim, slotBytes, vectorBytes, kernels } = this;
    const at = this.place(0);
    // The padding behind the components stays zero.
    this.floats.fill(0, at / 4, (at + vectorBytes) / 4);
    eachBlock(vectors, rows, (from, block, n) => {
      for (let nth = 0; nth < n; nth += 1) {
        this.floats.set(block.subarray(nth * dim, (nth + 1) * dim), at / 4);
        const slot = slots[from + nth] as number;
        if (this.areExact) kernels.copyBytes(at, this.address(slot, 0), vectorBytes);
        else kernels.encode(at, 1, vectorBytes, this.address(slot, 0), slotBytes);
        this.keep(slot, 0);
      }
    });
  }

  /** Address of a place for a vector that is compared. */
  place(nth: number): number {
    return this.#placesAt + nth * this.vectorBytes;
  }

  /** Loads a slot. @param copy Number of the copy of a slot that is not in the memory; others stay valid. @returns Its address. */
  load(slot: number, copy: number): number {
    if (slot >= this.#nInMemory) {
      const from = (slot - this.#nInMemory) * this.slotBytes;
      this.#bytes.set(this.#others.subarray(from, from + this.slotBytes), this.address(slot, copy));
    }
    return this.address(slot, copy);
  }

  /** The address at which a slot, or its copy, is in the memory. */
  address(slot: number, copy: number): number {
    return slot < this.#nInMemory ? this.#slotsAt + slot * this.slotBytes : this.#copiesAt + copy * this.slotBytes;
  }

  /** Returns the inner products of the vectors of slots with their sum. */
  productsWithSum(slots: Int32Array): Float32Array {
    const { kernels, areExact, slotBytes, vectorBytes } = this;
    const sum = this.place(0);
    this.floats.fill(0, sum / 4, (sum + vectorBytes) / 4);
    this.#eachPart(slots, (_, rows, n, base) => {
      if (!areExact) kernels.addCodes(sum, rows, n, base, slotBytes);
      for (let nth = 0; areExact && nth < n; nth += 1) {
        kernels.addVector(sum, base + (this.#numbers[nth] as number) * slotBytes, slotBytes);
      }
    });
    const query = areExact ? sum : this.place(1);
    if (!areExact) kernels.encodeWords(sum, query, vectorBytes / 2 + SCALE_BYTES, MAX_COMPONENT);
    const score = areExact ? kernels.dotProducts : kernels.codeProducts;
    const products = new Float32Array(slots.length);
    this.#eachPart(slots, (first, rows, n, base) => {
      score(query, rows, n, base, slotBytes, this.productsAt);
      products.set(this.floats.subarray(this.productsAt / 4, this.productsAt / 4 + n), first);
    });
    return products;
  }

  /** Keeps what was written to the address of a slot. */
  keep(slot: number, copy: number): void {
    if (slot < this.#nInMemory) return;
    const from = this.address(slot, copy);
    this.#others.set(this.#bytes.subarray(from, from + this.slotBytes), (slot - this.#nInMemory) * this.slotBytes);
  }

  /** Loads slots, {@link PLACES} at a time. @param use The slots are at `base` + rows[i] × slotBytes; `rows` is an address. */
  #eachPart(slots: Int32Array, use: (first: number, rows: number, n: number, base: number) => void): void {
    const numbers = this.#numbers;
    for (let first = 0; first < slots.length; first += PLACES) {
      const n = Math.min(PLACES, slots.length - first);
      for (let nth = 0; nth < n; nth += 1) {
        numbers[nth] = (this.load(slots[first + nth] as number, nth) - this.#copiesAt) / this.slotBytes;
      }
      use(first, numbers.byteOffset, n, this.#copiesAt);
    }
  }
}
