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

/** A memory for {@link SharedNeighbors}, which occupies no space until neighbours are loaded. */
export function neighborMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_WORDS * Int32Array.BYTES_PER_ELEMENT, { maxByteLength: MAX_BYTES });
}

/**
 * The neighbours of a graph in memory that all threads of a dataset share; those of rows that are not loaded yet are read from the file. A
 * thread that still reads an older graph reads its file, once the memory has the newer one.
 */
export class SharedNeighbors implements NeighborRows {
  readonly k: number;
  readonly #memory: SharedArrayBuffer;
  readonly #file: GraphFile;
  readonly #count: number;
  readonly #mark: number;
  /** Becomes longer with the memory. */
  readonly #words: Int32Array;

  /** @param graph `version` rises with each graph of a space. */
  constructor(memory: SharedArrayBuffer, file: GraphFile, { version, count }: { version: number; count: number }) {
    this.k = file.k;
    this.#memory = memory;
    this.#file = file;
    this.#count = count;
    this.#mark = version + 1;
    this.#words = new Int32Array(memory);
  }

  read(row: number, target: Int32Array): void {
    const words = this.#words;
    const from = HEADER_WORDS + row * this.k;
    if (Atomics.load(words, VERSION) === this.#mark && row < Atomics.load(words, LOADED)) {
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
      if (this.#memory.byteLength < bytes) this.#memory.grow(bytes);
      const loaded = new Int32Array(n * this.k);
      this.#file.read(first, loaded);
      words.set(loaded, HEADER_WORDS + first * this.k);
      Atomics.store(words, LOADED, first + n);
    });
    return n;
  }

  close(): void {
    this.#file.close();
  }
}
