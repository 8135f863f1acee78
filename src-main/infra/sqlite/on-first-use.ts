/**
 * Returns a function that calls `make` at its first call and returns its result from then on. A statement that runs often is prepared once
 * this way, and costs neither time nor memory on connections that never run it.
 */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
