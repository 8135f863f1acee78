import { dotProductsOver, MOST_PAGES } from './dot-products.ts';
import { RowSet } from './row-set.ts';
import { hasVector } from './rows.ts';

const PAGE_BYTES = 65_536;
/** Rows that one call of the kernel scores. */
const CHUNK_ROWS = 4096;
/** Each thread that reads has a page of its own for a query, rows and scores; so many may read at once. */
const SLOTS = 31;
const LARGEST_DIM = 4096;
/** After so long the thread that extends is taken for dead. Reading the same rows twice does no harm. */
const PATIENCE_MS = 10_000;
const [QUERY_AT, ROWS_AT, SCORES_AT] = [0, LARGEST_DIM * 4, LARGEST_DIM * 4 + CHUNK_ROWS * 4];
/** Vectors begin after the header's page and the slots. */
const VECTORS_AT = (1 + SLOTS) * PAGE_BYTES;
/** Words of the header: who may extend, rows that are in, slots that are taken (bits), of which version the rows are. */
const [LOCK, LOADED, TAKEN, VERSION] = [0, 1, 2, 3];
const HEADER_WORDS = 4;

/** Memory for the vectors of one space and entity type, for all threads that are given it. Takes no room until it is filled. */
export function sharedVectorMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: VECTORS_AT / PAGE_BYTES, maximum: MOST_PAGES, shared: true });
}

/** One WebAssembly memory of vectors, and this thread's slot in it. */
class Bank {
  readonly #memory: WebAssembly.Memory;
  readonly #score: ReturnType<typeof dotProductsOver>;
  readonly #bytes: number;
  readonly #slot: number;

  constructor(memory: WebAssembly.Memory, bytes: number) {
    this.#memory = memory;
    this.#bytes = bytes;
    this.#score = dotProductsOver(memory);
    this.#slot = takeSlot(new Int32Array(memory.buffer, 0, HEADER_WORDS));
  }

  /** Brings rows up to `count` in; of several threads that want the same rows, one reads them. Those of another version are read again. */
  extend(count: number, read: (firstRow: number, count: number) => Float32Array, version: number): void {
    const header = new Int32Array(this.#memory.buffer, 0, HEADER_WORDS);
    const loadedRows = () => (Atomics.load(header, VERSION) === version ? Atomics.load(header, LOADED) : 0);
    if (loadedRows() >= count) return;
    while (Atomics.compareExchange(header, LOCK, 0, 1) !== 0) {
      if (Atomics.wait(header, LOCK, 1, PATIENCE_MS) === 'timed-out') break;
    }
    try {
      const loaded = loadedRows();
      if (loaded >= count) return;
      const wantedPages = Math.ceil((VECTORS_AT + count * this.#bytes) / PAGE_BYTES);
      const pages = this.#memory.buffer.byteLength / PAGE_BYTES;
      if (pages < wantedPages) this.#memory.grow(wantedPages - pages);
      for (let first = loaded; first < count; first += CHUNK_ROWS) {
        const n = Math.min(CHUNK_ROWS, count - first);
        this.#put(first, n, read(first, n));
      }
      Atomics.store(header, LOADED, count);
      Atomics.store(header, VERSION, version);
    } finally {
      Atomics.store(header, LOCK, 0);
      Atomics.notify(header, LOCK);
    }
  }

  hasVector(row: number): boolean {
    const width = this.#bytes / 4;
    return hasVector(new Float32Array(this.#memory.buffer, VECTORS_AT + row * this.#bytes, width), width, 0);
  }

  setQuery(vector: Float32Array): void {
    const query = new Float32Array(this.#memory.buffer, this.#slot + QUERY_AT, this.#bytes / 4);
    query.fill(0);
    query.set(vector);
  }

  /** Scores of at most {@link CHUNK_ROWS} rows; valid until the next call. */
  score(rows: Int32Array, firstRow: number): Float32Array {
    const { buffer } = this.#memory;
    const chunk = new Int32Array(buffer, this.#slot + ROWS_AT, rows.length);
    for (let at = 0; at < rows.length; at += 1) chunk[at] = (rows[at] as number) - firstRow;
    const [query, places, scores] = [this.#slot + QUERY_AT, this.#slot + ROWS_AT, this.#slot + SCORES_AT];
    this.#score(query, places, rows.length, VECTORS_AT, this.#bytes, scores);
    return new Float32Array(buffer, scores, rows.length);
  }

  close(): void {
    Atomics.and(new Int32Array(this.#memory.buffer, 0, HEADER_WORDS), TAKEN, ~(1 << (this.#slot / PAGE_BYTES - 1)));
  }

  #put(firstRow: number, n: number, vectors: Float32Array): void {
    const width = this.#bytes / 4;
    const dim = vectors.length / n;
    const target = new Float32Array(this.#memory.buffer, VECTORS_AT + firstRow * this.#bytes, n * width);
    if (dim === width) {
      target.set(vectors);
      return;
    }
    for (let row = 0; row < n; row += 1) target.set(vectors.subarray(row * dim, (row + 1) * dim), row * width);
  }
}

/** @returns The slot's address. */
function takeSlot(header: Int32Array): number {
  for (;;) {
    const taken = Atomics.load(header, TAKEN);
    const free = 31 - Math.clz32(~taken & 0x7fff_ffff & -(~taken & 0x7fff_ffff));
    if (free < 0) throw new Error('too many threads read the same vectors');
    if (Atomics.compareExchange(header, TAKEN, taken, taken | (1 << free)) === taken) return (1 + free) * PAGE_BYTES;
  }
}

/**
 * The vectors of one space and entity type, row after row, in memory that all threads of a dataset share; extended by rows that were
 * appended, never read twice. A memory holds 4 GiB; rows beyond are in further memories, which each thread has for itself.
 */
export class SharedVectors {
  readonly dim: number;
  readonly #banks: Bank[];
  readonly #bytes: number;
  readonly #rowsPerBank: number;
  #count = 0;
  #version = 0;
  #blank: RowSet | undefined;

  /** @param memory Of {@link sharedVectorMemory}. @throws Error for vectors of more than 4096 components. */
  constructor(dim: number, memory: WebAssembly.Memory) {
    if (dim > LARGEST_DIM) throw new Error(`vectors of more than ${LARGEST_DIM} components are not supported`);
    this.dim = dim;
    this.#bytes = Math.ceil(dim / 8) * 32;
    this.#rowsPerBank = Math.floor((MOST_PAGES * PAGE_BYTES - VECTORS_AT) / this.#bytes);
    this.#banks = [new Bank(memory, this.#bytes)];
  }

  get count(): number {
    return this.#count;
  }

  /**
   * @param read Gives `count` rows from `firstRow` on.
   * @param version Changes when rows that were there have other vectors.
   */
  extend(count: number, read: (firstRow: number, count: number) => Float32Array, version = 0): void {
    for (let bank = 0; bank * this.#rowsPerBank < count; bank += 1) {
      const first = bank * this.#rowsPerBank;
      this.#banks[bank] ??= new Bank(sharedVectorMemory(), this.#bytes);
      this.#banks[bank]?.extend(Math.min(count - first, this.#rowsPerBank), (row, n) => read(first + row, n), version);
    }
    if (count > this.#count || version !== this.#version) this.#blank = undefined;
    this.#count = Math.max(this.#count, count);
    this.#version = version;
  }

  /** Rows without a vector: see {@link hasVector}. */
  get blankRows(): RowSet {
    this.#blank ??= RowSet.where(this.#count, (row) => {
      const bank = Math.floor(row / this.#rowsPerBank);
      return !this.#banks[bank]?.hasVector(row - bank * this.#rowsPerBank);
    });
    return this.#blank;
  }

  /** Inner products of a vector with those of rows, a chunk at a time; `scores` is valid during the call. */
  score(vector: Float32Array, rows: Int32Array, use: (firstAt: number, scores: Float32Array) => void): void {
    for (const bank of this.#banks) bank.setQuery(vector);
    for (let at = 0; at < rows.length; ) {
      const bank = Math.floor((rows[at] as number) / this.#rowsPerBank);
      let end = Math.min(at + CHUNK_ROWS, rows.length);
      if (this.#banks.length > 1) end = this.#endOfBank(rows, at, end, bank);
      const scores = this.#banks[bank]?.score(rows.subarray(at, end), bank * this.#rowsPerBank);
      if (scores) use(at, scores);
      at = end;
    }
  }

  close(): void {
    for (const bank of this.#banks) bank.close();
  }

  #endOfBank(rows: Int32Array, from: number, limit: number, bank: number): number {
    let end = from + 1;
    while (end < limit && Math.floor((rows[end] as number) / this.#rowsPerBank) === bank) end += 1;
    return end;
  }
}
