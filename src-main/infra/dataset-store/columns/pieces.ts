/** Rows that are worked on before others may go on: some milliseconds of work. */
const ROWS_OF_A_PIECE = 65_536;

/** Does something for each of `count` rows. Yields after every piece of them. */
export function* forEachInPieces(count: number, work: (row: number) => void): Generator<void> {
  for (let from = 0; from < count; from += ROWS_OF_A_PIECE) {
    const end = Math.min(count, from + ROWS_OF_A_PIECE);
    for (let row = from; row < end; row += 1) work(row);
    yield;
  }
}

/** What comes of work that is done in pieces. */
export function allOf<Value>(pieces: Generator<void, Value>): Value {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}
