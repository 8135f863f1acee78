const handedOver = new WeakSet<ArrayBufferLike>();

/** Marks bytes that a method returns and never uses again: they are moved to the other thread instead of copied. */
export function handOver(bytes: Uint8Array): Uint8Array {
  handedOver.add(bytes.buffer);
  return bytes;
}

/** Returns the memory to move with a value. */
export function movedWith(value: unknown): ArrayBuffer[] {
  const buffer = value instanceof Uint8Array ? value.buffer : undefined;
  return buffer instanceof ArrayBuffer && handedOver.has(buffer) ? [buffer] : [];
}
