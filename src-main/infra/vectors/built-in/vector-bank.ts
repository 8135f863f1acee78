import { codeBytes, SCALE_BYTES, writeCodedQuery } from '../vector-codes.ts';
import { MAX_PAGES, PAGE_BYTES, type Score, type VectorKernels, vectorKernels } from '../vector-kernels.ts';
import { locked } from './shared-lock.ts';

/** Maximum number of rows that one call of the kernel scores. */
export const CHUNK_ROWS = 4096;
/** Maximum number of threads that search at once; each has a page for its query, rows and scores. */
const SLOTS = 31;
export const LARGEST_DIM = 4096;
const [QUERY_AT, ROWS_AT, SCORES_AT] = [0, LARGEST_DIM * 4, LARGEST_DIM * 4 + CHUNK_ROWS * 4];
/** Space for vectors that a thread is encoding, behind its scores. */
const OWN_SCRATCH = { at: SCORES_AT + CHUNK_ROWS * 4, bytes: LARGEST_DIM * 4 };
/** Space behind the header and the slots for vectors that are encoded under the lock; small enough to stay in a cache. */
const SHARED_SCRATCH = { at: (1 + SLOTS) * PAGE_BYTES, bytes: 16 * PAGE_BYTES };
const ROWS_FROM = SHARED_SCRATCH.at + SHARED_SCRATCH.bytes;
/** Bytes of the note about a row that was loaded by itself. */
const NOTE_BYTES = 4;
/** Words of the header: lock for loading, number of loaded rows, taken slots (bits), version of the rows. */
const [LOCK, LOADED, TAKEN, VERSION] = [0, 1, 2, 3];
const HEADER_WORDS = 4;

/** Reads the vectors of `count` consecutive rows; may fill `into`, if given, and return it. */
export type ReadRows = (firstRow: number, count: number, into?: Float32Array) => Float32Array;

/** Fills `into` with the stored codes of `count` consecutive rows. Returns false unless all are stored; they are then made from the vectors. */
export type ReadCodes = (firstRow: number, count: number, into: Uint8Array) => boolean;

/** What rows are loaded from. */
export interface RowSource {
  read: ReadRows;
  readCodes?: ReadCodes | undefined;
}

/** Layout of vectors in a memory. */
export interface Encoding {
  bytesOf: (dim: number) => number;
  /** The kernel that compares vectors of this encoding. */
  kernel: keyof Pick<VectorKernels, 'dotProducts' | 'codeProducts'>;
  writeQuery: (buffer: ArrayBufferLike, at: number, vector: Float32Array) => void;
  /** Writes `count` consecutive rows, {@link bytesOf} each. @param scratch Space that only the writer uses. */
  writerOver: (
    memory: WebAssembly.Memory,
    dim: number,
    scratch: { at: number; bytes: number },
  ) => (at: number, firstRow: number, count: number, source: RowSource) => void;
  /** Whether rows are also loaded one by one; otherwise in order only. */
  hasNotes: boolean;
  /** Whether a row is zero. @param words The memory. @param at The row's first byte. @param bytes Its length. */
  isBlank: (words: Float32Array, at: number, bytes: number) => boolean;
}

/** float32, padded with zeros to a multiple of 128 bytes. */
export const FLOATS: Encoding = {
  hasNotes: false,
  bytesOf: (dim) => Math.ceil(dim / 32) * 128,
  kernel: 'dotProducts',
  writeQuery: (buffer, at, vector) => {
    const query = new Float32Array(buffer, at, FLOATS.bytesOf(vector.length) / 4);
    query.fill(0, vector.length);
    query.set(vector);
  },
  writerOver:
    (memory, dim) =>
    (at, firstRow, count, { read }) => {
      const width = FLOATS.bytesOf(dim) / 4;
      const target = new Float32Array(memory.buffer, at, count * width);
      if (width === dim) {
        const vectors = read(firstRow, count, target);
        if (vectors !== target) target.set(vectors);
        return;
      }
      const vectors = read(firstRow, count);
      for (let nth = 0; nth < count; nth += 1) {
        target.fill(0, nth * width + dim, (nth + 1) * width);
        target.set(vectors.subarray(nth * dim, (nth + 1) * dim), nth * width);
      }
    },
  isBlank: (words, at, bytes) => {
    for (let word = at / 4; word < (at + bytes) / 4; word += 1) if (words[word] !== 0) return false;
    return true;
  },
};

/** One byte per component: a quarter of the memory and of the bandwidth of a search. */
export const CODES: Encoding = {
  hasNotes: true,
  bytesOf: codeBytes,
  kernel: 'codeProducts',
  writeQuery: writeCodedQuery,
  writerOver: (memory, dim, scratch) => {
    const [write, encode] = [FLOATS.writerOver(memory, dim, scratch), vectorKernels(memory).encode];
    const [vectorBytes, bytes] = [FLOATS.bytesOf(dim), codeBytes(dim)];
    const most = Math.floor(scratch.bytes / vectorBytes);
    return (at, firstRow, count, source) => {
      for (let done = 0; done < count; done += most) {
        const n = Math.min(most, count - done);
        // Codes are checked in a place that is in the cache.
        const codes = new Uint8Array(memory.buffer, scratch.at, n * bytes);
        if (source.readCodes?.(firstRow + done, n, codes)) {
          new Uint8Array(memory.buffer, at + done * bytes, n * bytes).set(codes);
          continue;
        }
        write(scratch.at, firstRow + done, n, source);
        encode(scratch.at, n, vectorBytes, at + done * bytes, bytes);
      }
    };
  },
  isBlank: (words, at, bytes) => words[(at + bytes - SCALE_BYTES) / 4] === 0,
};

/** A memory whose pages are allocated when they are written. */
export function bankMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: ROWS_FROM / PAGE_BYTES, maximum: MAX_PAGES, shared: true });
}

/**
 * One WebAssembly memory of vectors, and this thread's slot in it.
 *
 * [Note: Notes of rows] Whether a row is loaded is noted apart from the rows. To look for a note in a page without memory would make Linux map its
 * page of zeros there, and replace it when the row is written: for that it interrupts all processors that run threads of this process, which
 * took most of the time of a first search.
 */
export class VectorBank {
  readonly #memory: WebAssembly.Memory;
  readonly #encoding: Encoding;
  readonly #score: Score;
  readonly #write: ReturnType<Encoding['writerOver']>;
  readonly #writeAlone: ReturnType<Encoding['writerOver']>;
  readonly #bytes: number;
  /** Address of the first row. */
  readonly #rowsAt: number;
  readonly #slot: number;
  /** Rows that are loaded when they are first compared. */
  #opened: { count: number; read: ReadRows; version: number } | undefined;

  constructor(memory: WebAssembly.Memory, encoding: Encoding, dim: number) {
    this.#memory = memory;
    this.#encoding = encoding;
    this.#bytes = encoding.bytesOf(dim);
    this.#rowsAt = ROWS_FROM + notesBytes(encoding, dim);
    this.#score = vectorKernels(memory)[encoding.kernel];
    this.#slot = takeSlot(new Int32Array(memory.buffer, 0, HEADER_WORDS));
    this.#write = encoding.writerOver(memory, dim, SHARED_SCRATCH);
    this.#writeAlone = encoding.writerOver(memory, dim, { ...OWN_SCRATCH, at: this.#slot + OWN_SCRATCH.at });
  }

  /** Number of rows that fit into one memory. */
  static capacityOf(encoding: Encoding, dim: number): number {
    return Math.floor((MAX_PAGES * PAGE_BYTES - ROWS_FROM - notesBytes(encoding, dim)) / encoding.bytesOf(dim));
  }

  /** Loads rows below `count`. When several threads need the same rows, one reads them. Rows of another version are read again. */
  extend(count: number, source: RowSource, version: number): void {
    if (this.countOf(version) >= count) return;
    this.#locked((header) => {
      const loaded = this.countOf(version);
      if (loaded >= count) return;
      this.#makeRoom(count);
      for (let first = loaded; first < count; first += CHUNK_ROWS) {
        this.#write(this.#rowsAt + first * this.#bytes, first, Math.min(CHUNK_ROWS, count - first), source);
      }
      Atomics.store(header, LOADED, count);
      Atomics.store(header, VERSION, version);
    });
  }

  /** Lets rows below `count` be compared before they are loaded: then each is read when it is first compared. */
  open(count: number, read: ReadRows, version: number): void {
    this.#opened = { count, read, version };
    if (this.#pagesBelow(count) > this.#memory.buffer.byteLength / PAGE_BYTES)
      this.#locked(() => this.#makeRoom(count));
  }

  /** Number of loaded rows of a version. */
  countOf(version: number): number {
    const header = this.#header();
    return Atomics.load(header, VERSION) === version ? Atomics.load(header, LOADED) : 0;
  }

  setQuery(vector: Float32Array): void {
    this.#encoding.writeQuery(this.#memory.buffer, this.#slot + QUERY_AT, vector);
  }

  /** Scores of at most {@link CHUNK_ROWS} rows, -Infinity for zero vectors; valid until the next call. */
  score(rows: Int32Array, firstRow: number): Float32Array {
    const { buffer } = this.#memory;
    const chunk = new Int32Array(buffer, this.#slot + ROWS_AT, rows.length);
    for (let at = 0; at < rows.length; at += 1) chunk[at] = (rows[at] as number) - firstRow;
    this.#loadMissing(chunk);
    const [query, places, scores] = [this.#slot + QUERY_AT, this.#slot + ROWS_AT, this.#slot + SCORES_AT];
    this.#score(query, places, rows.length, this.#rowsAt, this.#bytes, scores);
    const found = new Float32Array(buffer, scores, rows.length);
    for (let at = 0; at < found.length; at += 1) {
      if (found[at] === 0 && this.#isBlank(chunk[at] as number)) found[at] = Number.NEGATIVE_INFINITY;
    }
    return found;
  }

  close(): void {
    Atomics.and(this.#header(), TAKEN, ~(1 << (this.#slot / PAGE_BYTES - 1)));
  }

  /** Several threads may load the same row: they write the same bytes. */
  #loadMissing(rows: Int32Array): void {
    if (!this.#opened || !this.#encoding.hasNotes) return;
    const { count, read, version } = this.#opened;
    const loaded = this.countOf(version);
    if (loaded >= count) return;
    const notes = new Int32Array(this.#memory.buffer, ROWS_FROM, count);
    const note = (version + 1) | 0;
    for (const row of rows) {
      if (row < loaded || Atomics.load(notes, row) === note) continue;
      this.#writeAlone(this.#rowsAt + row * this.#bytes, row, 1, { read });
      Atomics.store(notes, row, note);
    }
  }

  #isBlank(row: number): boolean {
    const words = new Float32Array(this.#memory.buffer);
    return this.#encoding.isBlank(words, this.#rowsAt + row * this.#bytes, this.#bytes);
  }

  #pagesBelow(count: number): number {
    return Math.ceil((this.#rowsAt + count * this.#bytes) / PAGE_BYTES);
  }

  /** The system gives a page its memory when the page is first written. */
  #makeRoom(count: number): void {
    const more = this.#pagesBelow(count) - this.#memory.buffer.byteLength / PAGE_BYTES;
    if (more > 0) this.#memory.grow(more);
  }

  #locked(work: (header: Int32Array) => void): void {
    const header = this.#header();
    locked(header, LOCK, () => work(header));
  }

  #header(): Int32Array {
    return new Int32Array(this.#memory.buffer, 0, HEADER_WORDS);
  }
}

/** Length of the notes about all rows that fit: [Note: Notes of rows]. A multiple of 128 bytes. */
function notesBytes({ hasNotes, bytesOf }: Encoding, dim: number): number {
  if (!hasNotes) return 0;
  const most = (MAX_PAGES * PAGE_BYTES - ROWS_FROM) / (bytesOf(dim) + NOTE_BYTES);
  return Math.ceil((most * NOTE_BYTES) / 128) * 128;
}

/** @returns The address of a free slot. */
function takeSlot(header: Int32Array): number {
  for (;;) {
    const taken = Atomics.load(header, TAKEN);
    const free = 31 - Math.clz32(~taken & 0x7fff_ffff & -(~taken & 0x7fff_ffff));
    if (free < 0) throw new Error('too many threads read the same vectors');
    if (Atomics.compareExchange(header, TAKEN, taken, taken | (1 << free)) === taken) return (1 + free) * PAGE_BYTES;
  }
}
