/** Rows that are read before others may go on: some milliseconds of work. */
const ROWS_OF_A_PIECE = 8192;

interface Source<Value> {
  /** Changes when what was read is true no more. */
  state: () => string;
  /** What is filled, with nothing in it. */
  empty: () => Value;
  /** Rows from this one on are not there. */
  endRow: () => number;
  /** Adds what the rows from one to before another have. */
  fill: (value: Value, from: number, to: number) => void;
}

/** What rows have, in memory: read when it is first asked for, and kept until it changes; see [Note: Versions of columns]. */
export class FilledByPieces<Value> {
  readonly #source: Source<Value>;
  /** Filled with the rows below `end`. */
  #kept: { state: string; value: Value; end: number } | undefined;

  constructor(source: Source<Value>) {
    this.#source = source;
  }

  /** Whether some of it was read and is true yet. */
  get isBegun(): boolean {
    return this.#kept?.state === this.#source.state();
  }

  /** Of all rows. */
  whole(): Value {
    let piece = this.#readPiece();
    while (piece.isMore) piece = this.#readPiece();
    return piece.value;
  }

  /** Reads it piece by piece, unless it changes meanwhile: then who asks for it reads it at once. */
  *bringIn(): Generator<void> {
    const begun = this.#source.state();
    while (this.#source.state() === begun && this.#readPiece().isMore) yield;
  }

  #readPiece(): { value: Value; isMore: boolean } {
    const { state, empty, endRow, fill } = this.#source;
    const now = state();
    if (this.#kept?.state !== now) this.#kept = { state: now, value: empty(), end: 0 };
    const { value, end } = this.#kept;
    const last = endRow();
    if (end >= last) return { value, isMore: false };
    const next = Math.min(last, end + ROWS_OF_A_PIECE);
    fill(value, end, next);
    this.#kept.end = next;
    return { value, isMore: true };
  }
}
