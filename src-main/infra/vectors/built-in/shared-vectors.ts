import type { VectorMatch } from '../../../core/ports/vector-engine.ts';
import { hasVector, innerProduct } from '../rows.ts';
import { TopRows } from '../top-rows.ts';
import { CODED_COMPONENTS } from '../vector-codes.ts';
import { neighborMemory } from './shared-neighbors.ts';
import {
  bankMemory,
  CHUNK_ROWS,
  CODES,
  type Encoding,
  FLOATS,
  LARGEST_DIM,
  type ReadCodes,
  type ReadRows,
  type RowSource,
  VectorBank,
} from './vector-bank.ts';

/** Additional candidates by codes, relative to `k` and fixed; the best `k` of all candidates are chosen by their vectors. */
const [MORE_OF_K, MORE] = [1 / 4, 32];
/** Cost of reading a single vector from its file, relative to loading it with all others. */
const BY_ITSELF = 2;

/** Memory for the vectors of a space and their neighbours, shared by threads. */
export interface SharedMemory {
  floats: WebAssembly.Memory;
  codes: WebAssembly.Memory;
  neighbors: WebAssembly.Memory;
}

export function sharedVectorMemory(): SharedMemory {
  return { floats: bankMemory(), codes: bankMemory(), neighbors: neighborMemory() };
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

  /** Loads rows 0 … count - 1. */
  extend(count: number, source: RowSource, version: number): void {
    this.#eachBank(count, source, (bank, n, ofBank) => bank.extend(n, ofBank, version));
  }

  /** See {@link VectorBank.open}. */
  open(count: number, source: RowSource, version: number): void {
    this.#eachBank(count, source, (bank, n, { read }) => bank.open(n, read, version));
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

  #eachBank(
    count: number,
    { read, readCodes }: RowSource,
    use: (bank: VectorBank, n: number, source: RowSource) => void,
  ): void {
    for (let nth = 0; nth * this.#capacity < count; nth += 1) {
      const first = nth * this.#capacity;
      this.#banks[nth] ??= new VectorBank(bankMemory(), this.#encoding, this.#dim);
      const bank = this.#banks[nth];
      const source: RowSource = {
        read: (row, n, into) => read(first + row, n, into),
        readCodes: readCodes && ((row, n, into) => readCodes(first + row, n, into)),
      };
      if (bank) use(bank, Math.min(count - first, this.#capacity), source);
    }
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
 * memory bandwidth, so large spaces have codes of a quarter of the size: a search selects candidates by codes, and ranks them by their
 * vectors, which it reads from the files. A code is made when its row is first compared, unless all were loaded before.
 */
export class SharedVectors {
  readonly dim: number;
  readonly #vectors: Banks;
  readonly #codesMemory: WebAssembly.Memory;
  #codes: Banks | undefined;
  #source: RowSource = { read: () => new Float32Array() };
  #count = 0;
  #version = 0;

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
   * Makes rows 0 … count - 1 searchable: loads the vectors if they are few.
   * @param version Changes when stored vectors are replaced.
   * @param readCodes Reads stored codes; without it, they are made from the vectors.
   */
  extend(count: number, read: ReadRows, version = 0, readCodes?: ReadCodes): void {
    this.#count = Math.max(this.countOf(version), count);
    this.#version = version;
    this.#source = { read, readCodes };
    if (this.#count * this.dim >= CODED_COMPONENTS) this.#codes ??= new Banks(this.#codesMemory, CODES, this.dim);
    if (this.#codes) this.#codes.open(this.#count, this.#source, version);
    else this.#vectors.extend(this.#count, this.#source, version);
  }

  /** Loads the codes of at most `most` further rows, if searches use codes. @returns Number of loaded rows. */
  extendCodes(most: number): number {
    return this.#codes ? this.#extend(this.#codes, most) : 0;
  }

  /** Loads the vectors of at most `most` further rows. @returns Number of loaded rows. */
  extendVectors(most: number): number {
    return this.#extend(this.#vectors, most);
  }

  /** Inner products of a vector and the vectors of rows; -Infinity for a row without a vector. */
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
    const found = candidates.best().filter(({ similarity }) => similarity > Number.NEGATIVE_INFINITY);
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
    return Float32Array.from(rows, (row) => {
      const stored = this.#source.read(row, 1, room);
      return hasVector(stored, this.dim, 0) ? innerProduct(vector, 0, stored, 0, this.dim) : Number.NEGATIVE_INFINITY;
    });
  }

  #extend(banks: Banks, most: number): number {
    const known = banks.countOf(this.#version);
    const n = Math.min(most, this.#count - known);
    if (n > 0) banks.extend(known + n, this.#source, this.#version);
    return Math.max(0, n);
  }
}
