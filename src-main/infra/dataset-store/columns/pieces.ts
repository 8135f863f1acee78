/** Number of rows processed before other work can run: takes a few milliseconds. */
const CHUNK_ROWS = 65_536;

/** Calls `work` for each of `count` rows. Yields after every chunk of rows. */
export function* forEachInPieces(count: number, work: (row: number) => void): Generator<void> {
  for (let from = 0; from < count; from += CHUNK_ROWS) {
    const end = Math.min(count, from + CHUNK_ROWS);
    for (let row = from; row < end; row += 1) work(row);
    yield;
  }
}

/** Runs chunked work to its end and returns the result. */
export function allOf<Value>(pieces: Generator<void, Value>): Value {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

/** Like {@link allOf}, for work that waits for something outside the thread. */
export async function awaitAllOf<Value>(pieces: AsyncGenerator<void, Value>): Promise<Value> {
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return value;
  }
}
