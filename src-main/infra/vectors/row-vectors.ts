import type { RowVectors } from '../../core/ports/vector-engine.ts';
import { hasVector } from './rows.ts';

/** Number of rows that are read together from first to last. */
const BLOCK_ROWS = 4096;
/** Rows up to this far apart are read with what lies between them, which takes a disk less time than a further read. */
const GAP_BYTES = 2 ** 15;
/** Maximum size of what is read together. */
const SPAN_BYTES = 2 ** 20;

/** Vectors in one array. */
export class HeldVectors implements RowVectors {
  readonly areHeld = true;
  readonly dim: number;
  readonly count: number;
  readonly #floats: Float32Array;

  /** @param floats `dim` for each row. */
  constructor(floats: Float32Array, dim: number) {
    this.#floats = floats;
    this.dim = dim;
    this.count = floats.length / dim;
  }

  copy(row: number, target: Float32Array, at = 0): void {
    target.set(this.#floats.subarray(row * this.dim, (row + 1) * this.dim), at);
  }

  gather(rows: Int32Array, room?: Float32Array): Float32Array {
    const { dim } = this;
    const [first = 0, last = -1] = [rows[0], rows.at(-1)];
    if (last - first + 1 === rows.length) return this.#floats.subarray(first * dim, (last + 1) * dim);
    const gathered = room ?? new Float32Array(rows.length * dim);
    for (let at = 0; at < rows.length; at += 1) this.copy(rows[at] as number, gathered, at * dim);
    return gathered;
  }
}

/** Fills an array with the vectors of consecutive rows. */
type ReadRows = (firstRow: number, count: number, target: Float32Array) => void;

/** Vectors in files, of which only those that are asked for are in memory. The system keeps what was read as long as it has memory. */
export class StoredVectors implements RowVectors {
  readonly areHeld = false;
  readonly dim: number;
  readonly count: number;
  readonly #read: ReadRows;
  #span = new Float32Array();

  constructor(count: number, dim: number, read: ReadRows) {
    this.count = count;
    this.dim = dim;
    this.#read = read;
  }

  copy(row: number, target: Float32Array, at = 0): void {
    this.#read(row, 1, target.subarray(at, at + this.dim));
  }

  gather(rows: Int32Array, room?: Float32Array): Float32Array {
    const { dim } = this;
    const gathered = room ?? new Float32Array(rows.length * dim);
    const rowBytes = dim * 4;
    for (let from = 0; from < rows.length; ) {
      const first = rows[from] as number;
      let to = from + 1;
      for (; to < rows.length; to += 1) {
        const [before, next] = [rows[to - 1] as number, rows[to] as number];
        if ((next - before - 1) * rowBytes > GAP_BYTES || (next - first) * rowBytes > SPAN_BYTES) break;
      }
      this.#readSpan(rows.subarray(from, to), gathered.subarray(from * dim, to * dim));
      from = to;
    }
    return gathered;
  }

  /** Reads rows that are near each other, with the rows between them. */
  #readSpan(rows: Int32Array, target: Float32Array): void {
    const { dim } = this;
    const first = rows[0] as number;
    const n = (rows.at(-1) as number) - first + 1;
    if (n === rows.length) {
      this.#read(first, n, target);
      return;
    }
    if (this.#span.length < n * dim) this.#span = new Float32Array(n * dim);
    this.#read(first, n, this.#span.subarray(0, n * dim));
    for (let at = 0; at < rows.length; at += 1) {
      const from = ((rows[at] as number) - first) * dim;
      target.set(this.#span.subarray(from, from + dim), at * dim);
    }
  }
}

/** Vectors of rows, followed by vectors that are compared with them as if they were further rows. */
export class WithQueries implements RowVectors {
  readonly areHeld: boolean;
  readonly dim: number;
  readonly count: number;
  readonly #vectors: RowVectors;
  readonly #queries: HeldVectors;

  constructor(vectors: RowVectors, queries: Float32Array) {
    this.#vectors = vectors;
    this.#queries = new HeldVectors(queries, vectors.dim);
    this.areHeld = vectors.areHeld;
    this.dim = vectors.dim;
    this.count = vectors.count + this.#queries.count;
  }

  copy(row: number, target: Float32Array, at?: number): void {
    const nth = row - this.#vectors.count;
    if (nth < 0) this.#vectors.copy(row, target, at);
    else this.#queries.copy(nth, target, at);
  }

  gather(rows: Int32Array, room?: Float32Array): Float32Array {
    const { count } = this.#vectors;
    if ((rows.at(-1) ?? -1) < count) return this.#vectors.gather(rows, room);
    if ((rows[0] as number) >= count)
      return this.#queries.gather(
        rows.map((row) => row - count),
        room,
      );
    const gathered = room ?? new Float32Array(rows.length * this.dim);
    for (let at = 0; at < rows.length; at += 1) this.copy(rows[at] as number, gathered, at * this.dim);
    return gathered;
  }
}

/** Gathers rows, reusing one array. */
export class RowGatherer {
  readonly #vectors: RowVectors;
  #room = new Float32Array();

  constructor(vectors: RowVectors) {
    this.#vectors = vectors;
  }

  /**
   * @param rows Ascending.
   * @returns Valid until the next call.
   */
  gather(rows: Int32Array): Float32Array {
    const size = rows.length * this.#vectors.dim;
    if (this.#room.length < size) this.#room = new Float32Array(size);
    return this.#vectors.gather(rows, this.#room.subarray(0, size));
  }
}

/** Copies the vectors of rows, ascending, one after the other to an array of that length. */
export function gatherInto(vectors: RowVectors, rows: Int32Array, target: Float32Array): void {
  const gathered = vectors.gather(rows, target);
  if (gathered.buffer !== target.buffer) target.set(gathered);
}

/** Reads rows, ascending, in blocks. @param use Called with the position of a block's first row in `rows`, and its vectors. */
export function eachBlock(
  vectors: RowVectors,
  rows: Int32Array,
  use: (from: number, floats: Float32Array, n: number) => void,
): void {
  const gatherer = new RowGatherer(vectors);
  for (let from = 0; from < rows.length; from += BLOCK_ROWS) {
    const block = rows.subarray(from, from + BLOCK_ROWS);
    use(from, gatherer.gather(block), block.length);
  }
}

/** Returns those of the rows, ascending, that have no vector. */
export function rowsWithoutVector(vectors: RowVectors, rows: Int32Array): Int32Array {
  const blank: number[] = [];
  eachBlock(vectors, rows, (from, floats, n) => {
    for (let at = 0; at < n; at += 1) if (!hasVector(floats, vectors.dim, at)) blank.push(rows[from + at] as number);
  });
  return Int32Array.from(blank);
}
