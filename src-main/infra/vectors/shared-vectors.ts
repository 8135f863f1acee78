import type { VectorMatch } from '../../core/ports/vector-index.ts';
import { RowSet } from './row-set.ts';
import { hasVector } from './rows.ts';
import { TopRows } from './top-rows.ts';
import {
  bankMemory,
  CHUNK_ROWS,
  CODES,
  type Encoding,
  FLOATS,
  LARGEST_DIM,
  type ReadRows,
  VectorBank,
  type VectorRows,
} from './vector-bank.ts';

/** Components of all vectors together from which a search reads codes first: 32 MiB of floats do not fit into caches. */
const CODED_COMPONENTS = 2 ** 23;
/** Of so many more than the best `k` by their codes, the best `k` are chosen. */
const [MORE_OF_K, MORE] = [1 / 4, 32];

/** The memories of the vectors of one space and entity type, for all threads that are given them. */
export interface SharedMemory {
  floats: WebAssembly.Memory;
  codes: WebAssembly.Memory;
}

export function sharedVectorMemory(): SharedMemory {
  return { floats: bankMemory(), codes: bankMemory() };
}

/** Vectors in one encoding. A memory holds 4 GiB; rows beyond are in further memories, which each thread has for itself. */
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

  /** At most `count` rows from one on, as floats. */
  floats(row: number, count: number): VectorRows {
    const bank = Math.floor(row / this.#capacity);
    const first = row - bank * this.#capacity;
    const found = this.#banks[bank]?.floats(first, Math.min(count, this.#capacity - first));
    return found ?? { vectors: new Float32Array(), width: this.#dim };
  }

  score(vector: Float32Array, rows: Int32Array, use: (firstAt: number, scores: Float32Array) => void): void {
    for (const bank of this.#banks) bank.setQuery(vector);
    for (let at = 0; at < rows.length; ) {
      const bank = Math.floor((rows[at] as number) / this.#capacity);
      let end = Math.min(at + CHUNK_ROWS, rows.length);
      if (this.#banks.length > 1) end = this.#endOfBank(rows, at, end, bank);
      const scores = this.#banks[bank]?.score(rows.subarray(at, end), bank * this.#capacity);
      if (scores) use(at, scores);
      at = end;
    }
  }

  close(): void {
    for (const bank of this.#banks) bank.close();
  }

  #endOfBank(rows: Int32Array, from: number, limit: number, bank: number): number {
    let end = from + 1;
    while (end < limit && Math.floor((rows[end] as number) / this.#capacity) === bank) end += 1;
    return end;
  }
}

/**
 * The vectors of one space and entity type, row after row, in memory that all threads of a dataset share; extended by rows that were
 * appended, never read twice. What a search costs is reading them, so beside many vectors there are codes of a quarter of their size: the
 * candidates that a search keeps by codes are ranked by the vectors themselves.
 */
export class SharedVectors {
  readonly dim: number;
  readonly #vectors: Banks;
  readonly #codesMemory: WebAssembly.Memory;
  #codes: Banks | undefined;
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

  /** Rows that are there of a version. */
  countOf(version: number): number {
    return version === this.#version ? this.#count : 0;
  }

  /**
   * @param read Gives `count` rows from `firstRow` on; may fill `into`, where there is one, and return it.
   * @param version Changes when rows that were there have other vectors.
   */
  extend(
    count: number,
    read: (firstRow: number, count: number, into?: Float32Array) => Float32Array,
    version = 0,
  ): void {
    this.#vectors.extend(count, (row, n, into) => ({ vectors: read(row, n, into), width: this.dim }), version);
    if (version !== this.#version) this.#blank = new RowSet(0);
    this.#count = Math.max(this.countOf(version), count);
    this.#version = version;
    this.#findBlank();
    if (this.#count * this.dim < CODED_COMPONENTS) return;
    this.#codes ??= new Banks(this.#codesMemory, CODES, this.dim);
    this.#codes.extend(this.#count, (row, n) => this.#vectors.floats(row, n), version);
  }

  /** Rows without a vector: see {@link hasVector}. */
  get blankRows(): RowSet {
    return this.#blank;
  }

  /** Inner products of a vector with those of rows, a chunk at a time; `scores` is valid during the call. */
  score(vector: Float32Array, rows: Int32Array, use: (firstAt: number, scores: Float32Array) => void): void {
    this.#vectors.score(vector, rows, use);
  }

  /** Where the best `k` of all rows that are offered to {@link offer} are kept. */
  candidates(k: number): TopRows {
    return new TopRows(this.#codes ? k + Math.ceil(k * MORE_OF_K) + MORE : k);
  }

  /** @returns How many of the rows came among the candidates. */
  offer(vector: Float32Array, rows: Int32Array, candidates: TopRows): number {
    let nEntered = 0;
    (this.#codes ?? this.#vectors).score(vector, rows, (first, scores) => {
      nEntered += candidates.offerEach(rows, first, scores);
    });
    return nEntered;
  }

  /** The best `k` candidates, best first. */
  best(vector: Float32Array, candidates: TopRows, k: number): VectorMatch[] {
    const found = candidates.best();
    if (!this.#codes) return found;
    const rows = Int32Array.from(found, ({ row }) => row);
    const best = new TopRows(Math.min(k, rows.length));
    this.#vectors.score(vector, rows, (first, scores) => {
      best.offerEach(rows, first, scores);
    });
    return best.best();
  }

  close(): void {
    this.#vectors.close();
    this.#codes?.close();
  }

  /** Among the rows that came last. */
  #findBlank(): void {
    if (this.#blank.size === this.#count) return;
    const blank = new RowSet(this.#count).or(this.#blank);
    for (let first = this.#blank.size; first < this.#count; ) {
      const { vectors, width } = this.#vectors.floats(first, this.#count - first);
      const n = vectors.length / width;
      for (let nth = 0; nth < n; nth += 1) if (!hasVector(vectors, width, nth)) blank.add(first + nth);
      first += n;
    }
    this.#blank = blank;
  }
}
