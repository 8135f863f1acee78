import { PAGE_BYTES } from '../vector-kernels.ts';
import type { GraphFile } from './graph-file.ts';
import { locked } from './shared-lock.ts';

/** Maximum length of the memory: eleven million rows of 24 neighbours. */
const MAX_BYTES = 2 ** 30;
/** Words before the neighbours: lock for loading, version of the graph plus one, number of loaded rows. */
const [LOCK, VERSION, LOADED] = [0, 1, 2];
const HEADER_WORDS = 16;

/** Where a walk reads the neighbours of rows. */
export interface NeighborRows {
  /** Neighbours per row. */
  readonly k: number;
  /** @param target Room for {@link k} row numbers, which end with -1 if there are fewer. */
  read(row: number, target: Int32Array): void;
  /** Loads the neighbours of at most `most` further rows into memory. @returns Number of loaded rows. */
  load(most: number): number;
  close(): void;
}

/** A memory for {@link SharedNeighbors}, which occupies no space until neighbours are loaded. See `vectorKernels` for its kind. */
export function neighborMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 1, maximum: MAX_BYTES / PAGE_BYTES, shared: true });
}

/**
 * The neighbours of a graph in memory that all threads of a dataset share; those of rows that are not loaded yet are read from the file. A
 * thread that still reads an older graph reads its file, once the memory has the newer one.
 */
export class SharedNeighbors implements NeighborRows {
  readonly k: number;
  readonly #memory: WebAssembly.Memory;
  readonly #file: GraphFile;
  readonly #count: number;
  readonly #mark: number;
  /** The memory, as long as it was when it was last read. */
  #words: Int32Array;

  /** @param graph `version` rises with each graph of a space. */
  constructor(memory: WebAssembly.Memory, file: GraphFile, { version, count }: { version: number; count: number }) {
    this.k = file.k;
    this.#memory = memory;
    this.#file = file;
    this.#count = count;
    this.#mark = version + 1;
    this.#words = new Int32Array(memory.buffer);
  }

  read(row: number, target: Int32Array): void {
    const from = HEADER_WORDS + row * this.k;
    let words = this.#words;
    if (Atomics.load(words, VERSION) === this.#mark && row < Atomics.load(words, LOADED)) {
      // Another thread may have made the memory longer.
      if (from + this.k > words.length) words = this.#renewWords();
      for (let at = 0; at < this.k; at += 1) target[at] = words[from + at] as number;
      // Another thread may have begun to load a newer graph.
      if (Atomics.load(words, VERSION) === this.#mark) return;
    }
    this.#file.read(row, target);
  }

  load(most: number): number {
    const bytes = (HEADER_WORDS + this.#count * this.k) * Int32Array.BYTES_PER_ELEMENT;
    if (bytes > MAX_BYTES) return 0;
    const words = this.#words;
    let n = 0;
    locked(words, LOCK, () => {
      if ((words[VERSION] as number) > this.#mark) return;
      if (words[VERSION] !== this.#mark) {
        Atomics.store(words, LOADED, 0);
        Atomics.store(words, VERSION, this.#mark);
      }
      const first = words[LOADED] as number;
      n = Math.max(0, Math.min(most, this.#count - first));
      if (n === 0) return;
      const missing = bytes - this.#memory.buffer.byteLength;
      if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
      const loaded = new Int32Array(n * this.k);
      this.#file.read(first, loaded);
      this.#renewWords().set(loaded, HEADER_WORDS + first * this.k);
      Atomics.store(words, LOADED, first + n);
    });
    return n;
  }

  close(): void {
    this.#file.close();
  }

  #renewWords(): Int32Array {
    this.#words = new Int32Array(this.#memory.buffer);
    return this.#words;
  }
}
