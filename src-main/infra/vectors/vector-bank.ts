import { codeBytes, codeProductsOver, writeCodes } from './code-products.ts';
import { dotProductsOver } from './dot-products.ts';
import { MOST_PAGES, type Score } from './score-kernel.ts';

const PAGE_BYTES = 65_536;
/** Rows that one call of the kernel scores. */
export const CHUNK_ROWS = 4096;
/** Each thread that reads has a page of its own for a query, rows and scores; so many may read at once. */
const SLOTS = 31;
export const LARGEST_DIM = 4096;
/** After so long the thread that extends is taken for dead. Reading the same rows twice does no harm. */
const PATIENCE_MS = 10_000;
const [QUERY_AT, ROWS_AT, SCORES_AT] = [0, LARGEST_DIM * 4, LARGEST_DIM * 4 + CHUNK_ROWS * 4];
/** Vectors begin after the header's page and the slots. */
const VECTORS_AT = (1 + SLOTS) * PAGE_BYTES;
/** Words of the header: who may extend, rows that are in, slots that are taken (bits), of which version the rows are. */
const [LOCK, LOADED, TAKEN, VERSION] = [0, 1, 2, 3];
const HEADER_WORDS = 4;

/** Rows one after the other, `width` floats each, of which the vector may be fewer. */
export interface VectorRows {
  vectors: Float32Array;
  width: number;
}

/** How vectors lie in a memory. */
export interface Encoding {
  bytesOf: (dim: number) => number;
  kernelOver: (memory: WebAssembly.Memory) => Score;
  write: (buffer: ArrayBufferLike, at: number, rows: VectorRows & { dim: number }) => void;
}

/** As they are, filled up with zeros. */
export const FLOATS: Encoding = {
  bytesOf: (dim) => Math.ceil(dim / 8) * 32,
  kernelOver: dotProductsOver,
  write: writeFloats,
};

/** A byte a component: a quarter of the room, and of what a search reads. */
export const CODES: Encoding = { bytesOf: codeBytes, kernelOver: codeProductsOver, write: writeCodes };

/** A memory that takes no room until it is filled. */
export function bankMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: VECTORS_AT / PAGE_BYTES, maximum: MOST_PAGES, shared: true });
}

/** One WebAssembly memory of vectors, and this thread's slot in it. */
export class VectorBank {
  readonly #memory: WebAssembly.Memory;
  readonly #encoding: Encoding;
  readonly #score: Score;
  readonly #dim: number;
  readonly #bytes: number;
  readonly #slot: number;

  constructor(memory: WebAssembly.Memory, encoding: Encoding, dim: number) {
    this.#memory = memory;
    this.#encoding = encoding;
    this.#dim = dim;
    this.#bytes = encoding.bytesOf(dim);
    this.#score = encoding.kernelOver(memory);
    this.#slot = takeSlot(new Int32Array(memory.buffer, 0, HEADER_WORDS));
  }

  /** Rows that fit into one memory. */
  static capacityOf(encoding: Encoding, dim: number): number {
    return Math.floor((MOST_PAGES * PAGE_BYTES - VECTORS_AT) / encoding.bytesOf(dim));
  }

  /** Brings rows up to `count` in; of several threads that want the same rows, one reads them. Those of another version are read again. */
  extend(count: number, read: (firstRow: number, count: number) => VectorRows, version: number): void {
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
        const rows = read(first, Math.min(CHUNK_ROWS, count - first));
        this.#encoding.write(this.#memory.buffer, VECTORS_AT + first * this.#bytes, { ...rows, dim: this.#dim });
      }
      Atomics.store(header, LOADED, count);
      Atomics.store(header, VERSION, version);
    } finally {
      Atomics.store(header, LOCK, 0);
      Atomics.notify(header, LOCK);
    }
  }

  /** Rows of floats; a view, not a copy. */
  floats(firstRow: number, count: number): VectorRows {
    const width = this.#bytes / 4;
    const at = VECTORS_AT + firstRow * this.#bytes;
    return { vectors: new Float32Array(this.#memory.buffer, at, count * width), width };
  }

  setQuery(vector: Float32Array): void {
    const rows = { vectors: vector, width: vector.length, dim: this.#dim };
    this.#encoding.write(this.#memory.buffer, this.#slot + QUERY_AT, rows);
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
}

function writeFloats(buffer: ArrayBufferLike, at: number, { vectors, width, dim }: VectorRows & { dim: number }): void {
  const padded = FLOATS.bytesOf(dim) / 4;
  const nVectors = vectors.length / width;
  const target = new Float32Array(buffer, at, nVectors * padded);
  if (width === padded) {
    target.set(vectors);
    return;
  }
  target.fill(0);
  for (let row = 0; row < nVectors; row += 1)
    target.set(vectors.subarray(row * width, row * width + dim), row * padded);
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
