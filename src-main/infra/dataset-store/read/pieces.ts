/** What comes of work that is done in pieces. */
export function allOf<Value>(pieces: Generator<void, Value>): Value {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}
