import { paddedBytes, type Score, vectorKernels } from '../vector-kernels.ts';

const PAGE_BYTES = 65_536;
/** Maximum length of one memory. */
const BANK_BYTES = 2 ** 29;
/** Number of pages by which a memory grows. */
const GROWTH_PAGES = 256;
/** Byte addresses in a memory: a row number 0, the product, and a vector that is compared. The sums are behind it. */
const [ROW_AT, PRODUCT_AT, COMPARED_AT] = [0, 32, 64];

interface Bank {
  memory: WebAssembly.Memory;
  floats: Float32Array;
  score: Score;
}

/** Sums of vectors in numbered slots, which the kernel compares in a quarter of the time of a loop. */
export class GroupSums {
  readonly #dim: number;
  /** Length of a sum, a multiple of what the kernel takes. */
  readonly #bytes: number;
  readonly #perBank: number;
  readonly #banks: Bank[] = [];
  readonly #free: number[] = [];
  #nSlots = 0;

  constructor(dim: number) {
    this.#dim = dim;
    this.#bytes = paddedBytes(dim);
    this.#perBank = Math.floor((BANK_BYTES - COMPARED_AT) / this.#bytes) - 1;
  }

  /** Takes a slot for a vector. */
  take(vector: Float32Array, from: number): number {
    const slot = this.#free.pop() ?? this.#nSlots++;
    const bank = this.#bankWith(slot);
    bank.floats.set(vector.subarray(from, from + this.#dim), this.#addressOf(slot) / 4);
    return slot;
  }

  free(slot: number): void {
    this.#free.push(slot);
  }

  /** The sum in a slot, valid until the next slot is taken. */
  at(slot: number): { floats: Float32Array; from: number } {
    return { floats: this.#bankWith(slot).floats, from: this.#addressOf(slot) / 4 };
  }

  /** Adds a vector to a sum. */
  add(slot: number, vector: Float32Array, from: number): void {
    const { floats } = this.#bankWith(slot);
    const at = this.#addressOf(slot) / 4;
    for (let d = 0; d < this.#dim; d += 1) floats[at + d] = (floats[at + d] as number) + (vector[from + d] as number);
  }

  /** Inner product of two sums. */
  product(slot: number, other: number): number {
    const bank = this.#bankWith(slot);
    const otherBank = this.#bankWith(other);
    const address = this.#addressOf(other);
    if (bank !== otherBank) return this.productWith(slot, otherBank.floats, address / 4);
    return this.#product(bank, slot, address);
  }

  /** Inner product of a sum and a vector. */
  productWith(slot: number, vector: Float32Array, from: number): number {
    const bank = this.#bankWith(slot);
    bank.floats.set(vector.subarray(from, from + this.#dim), COMPARED_AT / 4);
    return this.#product(bank, slot, COMPARED_AT);
  }

  #product({ score, floats }: Bank, slot: number, address: number): number {
    score(this.#addressOf(slot), ROW_AT, 1, address, this.#bytes, PRODUCT_AT);
    return floats[PRODUCT_AT / 4] as number;
  }

  #addressOf(slot: number): number {
    return COMPARED_AT + (1 + (slot % this.#perBank)) * this.#bytes;
  }

  #bankWith(slot: number): Bank {
    const nth = Math.floor(slot / this.#perBank);
    const bank = this.#banks[nth] ?? openBank();
    this.#banks[nth] = bank;
    const missing = this.#addressOf(slot) + this.#bytes - bank.floats.byteLength;
    if (missing > 0) {
      const most = BANK_BYTES / PAGE_BYTES - bank.memory.buffer.byteLength / PAGE_BYTES;
      bank.memory.grow(Math.min(most, Math.max(GROWTH_PAGES, Math.ceil(missing / PAGE_BYTES))));
      bank.floats = new Float32Array(bank.memory.buffer);
    }
    return bank;
  }
}

function openBank(): Bank {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: BANK_BYTES / PAGE_BYTES, shared: true });
  return { memory, floats: new Float32Array(memory.buffer), score: vectorKernels(memory).dotProducts };
}
