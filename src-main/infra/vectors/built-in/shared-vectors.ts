import type { VectorMatch } from '../../../core/ports/vector-engine.ts';
import { RowSet } from '../row-set.ts';
import { innerProduct } from '../rows.ts';
import { TopRows } from '../top-rows.ts';
import {
  bankMemory,
  CHUNK_ROWS,
  CODES,
  type Encoding,
  FLOATS,
  LARGEST_DIM,
  type ReadRows,
  VectorBank,
} from './vector-bank.ts';

/** Number of components of all vectors from which a search reads codes first: 32 MiB of floats do not fit into caches. */
const CODED_COMPONENTS = 2 ** 23;
/** Additional candidates by codes, relative to `k` and fixed; the best `k` of all candidates are chosen by their vectors. */
const [MORE_OF_K, MORE] = [1 / 4, 32];
/** Cost of reading a single vector from its file, relative to loading it with all others. */
const BY_ITSELF = 2;

/** Memory for the vectors of a space, shared by threads. */
export interface SharedMemory {
  floats: WebAssembly.Memory;
  codes: WebAssembly.Memory;
}

export function sharedVectorMemory(): SharedMemory {
  return { floats: bankMemory(), codes: bankMemory() };
}

/** Receives the scores of rows from `firstAt` on, chunk by chunk; they are valid during the call. */
export type UseScores = (firstAt: number, scores: Float32Array) => void;

/** Compares rows with one vector. */
export type Comparison = (rows: Int32Array, use: UseScores) => void;

/** Vectors in one encoding. A memory has 4 GiB; rows beyond are in further memories, one set per thread. */
class Banks {
  readonly #encoding: Encoding;
  readonly #dim: number;
  readonly #capacity: number;
  readonly #banks: VectorBank[];

  constructor(memory: WebAssembly.Memory, encoding: Encoding, dim: number) {
    this.#encoding = encoding;
    this.#dim = dim;
    this.#capacity = VectorBank.capacityOf(encoding, dim);
    this.#banks = [new VectorBank(memory, encoding, dim)];
  }

  extend(count: number, read: ReadRows, version: number): void {
    for (let bank = 0; bank * this.#capacity < count; bank += 1) {
      const first = bank * this.#capacity;
      this.#banks[bank] ??= new VectorBank(bankMemory(), this.#encoding, this.#dim);
      this.#banks[bank]?.extend(
        Math.min(count - first, this.#capacity),
        (row, n, into) => read(first + row, n, into),
        version,
      );
    }
  }

  /** Number of loaded rows of a version, from row 0 without a gap. */
  countOf(version: number): number {
    let count = 0;
    for (const bank of this.#banks) {
      const ofBank = bank.countOf(version);
      count += ofBank;
      if (ofBank < this.#capacity) break;
    }
    return count;
  }

  /** Calls back with the rows `from` … `to` - 1 that are zero. */
  eachBlank(from: number, to: number, use: (row: number) => void): void {
    for (let first = from; first < to; ) {
      const bank = Math.floor(first / this.#capacity);
      const start = bank * this.#capacity;
      const end = Math.min(to, start + this.#capacity);
      this.#banks[bank]?.eachBlank(first - start, end - first, (row) => use(start + row));
      first = end;
    }
  }

  score(vector: Float32Array, rows: Int32Array, use: UseScores): void {
    this.comparing(vector)(rows, use);
  }

  /** Returns {@link score} for one vector; valid until the next comparison with another. */
  comparing(vector: Float32Array): Comparison {
    for (const bank of this.#banks) bank.setQuery(vector);
    return (rows, use) => this.#score(rows, use);
  }

  close(): void {
    for (const bank of this.#banks) bank.close();
  }

  #score(rows: Int32Array, use: UseScores): void {
    for (let at = 0; at < rows.length; ) {
      const bank = Math.floor((rows[at] as number) / this.#capacity);
      let end = Math.min(at + CHUNK_ROWS, rows.length);
      if (this.#banks.length > 1) end = this.#endOfBank(rows, at, end, bank);
      const scores = this.#banks[bank]?.score(rows.subarray(at, end), bank * this.#capacity);
      if (scores) use(at, scores);
      at = end;
    }
  }

  #endOfBank(rows: Int32Array, from: number, limit: number, bank: number): number {
    let end = from + 1;
    while (end < limit && Math.floor((rows[end] as number) / this.#capacity) === bank) end += 1;
    return end;
  }
}

/**
 * The vectors of a space in memory that all threads of a dataset share. New rows extend it; no row is read twice. The cost of a search is
 * memory bandwidth, so large spaces also have codes of a quarter of the size: a search selects candidates by codes and ranks them by their
 * vectors. The vectors need not be loaded for that, because loading them takes several times as long as computing the codes.
 */
export class SharedVectors {
  readonly dim: number;
  readonly #vectors: Banks;
  readonly #codesMemory: WebAssembly.Memory;
  #codes: Banks | undefined;
  #read: ReadRows = () => new Float32Array();
  #count = 0;
  #version = 0;
  #blank = new RowSet(0);

  /** @throws Error for vectors of more than 4096 components. */
  constructor(dim: number, memory: SharedMemory) {
    if (dim > LARGEST_DIM) throw new Error(`vectors of more than ${LARGEST_DIM} components are not supported`);
    this.dim = dim;
    this.#vectors = new Banks(memory.floats, FLOATS, dim);
    this.#codesMemory = memory.codes;
  }

  get count(): number {
    return this.#count;
  }

  /** Number of rows of a version. */
  countOf(version: number): number {
    return version === this.#version ? this.#count : 0;
  }

  /**
   * Loads the data that a search needs of rows 0 … count - 1.
   * @param version Changes when stored vectors are replaced.
   */
  extend(count: number, read: ReadRows, version = 0): void {
    if (version !== this.#version) this.#blank = new RowSet(0);
    this.#count = Math.max(this.countOf(version), count);
    this.#version = version;
    this.#read = read;
    if (this.#count * this.dim >= CODED_COMPONENTS) this.#codes ??= new Banks(this.#codesMemory, CODES, this.dim);
    this.#searched.extend(this.#count, read, version);
    this.#findBlank();
  }

  /** Loads the vectors of at most `most` further rows. @returns Number of loaded rows. */
  extendVectors(most: number): number {
    const known = this.#vectors.countOf(this.#version);
    const n = Math.min(most, this.#count - known);
    if (n > 0) this.#vectors.extend(known + n, this.#read, this.#version);
    return Math.max(0, n);
  }

  /** Rows without a vector: see {@link hasVector}. */
  get blankRows(): RowSet {
    return this.#blank;
  }

  /** Inner products of a vector and the vectors of rows. */
  score(vector: Float32Array, rows: Int32Array, use: UseScores): void {
    const nMissing = this.#count - this.#vectors.countOf(this.#version);
    if (rows.length * BY_ITSELF < nMissing) {
      use(0, this.#scoresByFile(vector, rows));
      return;
    }
    this.extendVectors(this.#count);
    this.#vectors.score(vector, rows, use);
  }

  /** Collects the best candidates among the rows that are passed to {@link offer}. */
  candidates(k: number): TopRows {
    return new TopRows(this.#codes ? k + Math.ceil(k * MORE_OF_K) + MORE : k);
  }

  /** Returns {@link score} for one vector by codes, if there are codes; valid until the next comparison with another. */
  comparing(vector: Float32Array): Comparison {
    return this.#searched.comparing(vector);
  }

  /** @returns Number of rows that entered the candidates. */
  offer(vector: Float32Array, rows: Int32Array, candidates: TopRows): number {
    let nEntered = 0;
    this.#searched.score(vector, rows, (first, scores) => {
      nEntered += candidates.offerEach(rows, first, scores);
    });
    return nEntered;
  }

  /** The best `k` candidates, best first. */
  best(vector: Float32Array, candidates: TopRows, k: number): VectorMatch[] {
    const found = candidates.best();
    if (!this.#codes) return found;
    // By ascending row: sequential reads are faster.
    const rows = Int32Array.from(found, ({ row }) => row).sort();
    const best = new TopRows(Math.min(k, rows.length));
    this.score(vector, rows, (first, scores) => {
      best.offerEach(rows, first, scores);
    });
    return best.best();
  }

  close(): void {
    this.#vectors.close();
    this.#codes?.close();
  }

  /** The encoding that searches read. */
  get #searched(): Banks {
    return this.#codes ?? this.#vectors;
  }

  #scoresByFile(vector: Float32Array, rows: Int32Array): Float32Array {
    const room = new Float32Array(this.dim);
    return Float32Array.from(rows, (row) => innerProduct(vector, 0, this.#read(row, 1, room), 0, this.dim));
  }

  /** Checks the rows that were added last. */
  #findBlank(): void {
    if (this.#blank.size === this.#count) return;
    const blank = new RowSet(this.#count).or(this.#blank);
    this.#searched.eachBlank(this.#blank.size, this.#count, (row) => blank.add(row));
    this.#blank = blank;
  }
}
