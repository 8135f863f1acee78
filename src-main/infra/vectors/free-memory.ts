/** Size in bytes from which it matters when memory is freed. */
const LARGE = 2 ** 26;

/**
 * Frees the memory of arrays that have a buffer of their own now, if they are large, instead of at the next garbage collection: what V8 does
 * not count, such as pages of a WebAssembly memory, could use up the memory before. The arrays are empty afterwards.
 */
export function freeMemory(...arrays: { buffer: ArrayBufferLike }[]): void {
  for (const { buffer } of arrays) {
    if (buffer instanceof ArrayBuffer && buffer.byteLength >= LARGE) buffer.transfer(0);
  }
}
