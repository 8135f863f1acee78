/** Number of rows read before other work can run: takes a few milliseconds. */
const CHUNK_ROWS = 8192;

interface Source<Value> {
  /** Returns a string that changes when the data read so far is no longer valid. */
  state: () => string;
  /** Returns an empty value to fill. */
  empty: () => Value;
  /** Returns the row after the last one. */
  endRow: () => number;
  /** Adds the data of the rows `from` … `to` - 1. */
  fill: (value: Value, from: number, to: number) => void;
}

/** Data of all rows in memory: read on first use and cached until it changes; see [Note: Versions of columns]. */
export class FilledByPieces<Value> {
  readonly #source: Source<Value>;
  /** The cached value, filled with the rows below `end`. */
  #cached: { state: string; value: Value; end: number } | undefined;

  constructor(source: Source<Value>) {
    this.#source = source;
  }

  /** Whether valid data of some rows is loaded. */
  get isBegun(): boolean {
    return this.#cached?.state === this.#source.state();
  }

  /** Returns the data of all rows. */
  whole(): Value {
    let piece = this.#readPiece();
    while (piece.isMore) piece = this.#readPiece();
    return piece.value;
  }

  /** Loads the data in chunks. If the data changes meanwhile, loading stops and the next use reads all rows at once. */
  *bringIn(): Generator<void> {
    const before = this.#source.state();
    while (this.#source.state() === before && this.#readPiece().isMore) yield;
  }

  #readPiece(): { value: Value; isMore: boolean } {
    const { state, empty, endRow, fill } = this.#source;
    const now = state();
    if (this.#cached?.state !== now) this.#cached = { state: now, value: empty(), end: 0 };
    const { value, end } = this.#cached;
    const last = endRow();
    if (end >= last) return { value, isMore: false };
    const next = Math.min(last, end + CHUNK_ROWS);
    fill(value, end, next);
    this.#cached.end = next;
    return { value, isMore: true };
  }
}
