/** Number of components of all vectors from which codes stand in for them: 32 MiB of floats do not fit into caches. */
export const CODED_COMPONENTS = 2 ** 23;
/** Bytes at the end of a code, of which the first four are its scale. */
export const SCALE_BYTES = 16;
/** Number of components that the kernel processes at once; codes are padded with zeros. */
const COMPONENTS = 32;
/** Largest component of a query: its products with 4096 components of one byte add up to less than 2^31. */
export const MAX_COMPONENT = 4095;

/** Bytes of the code of a vector: one byte per component, and the scale. */
export function codeBytes(dim: number): number {
  return Math.ceil(dim / COMPONENTS) * COMPONENTS + SCALE_BYTES;
}

/** Writes a query with two bytes per component, finer than the codes that it is compared with, followed by its scale. */
export function writeCodedQuery(buffer: ArrayBufferLike, at: number, vector: Float32Array): void {
  const width = codeBytes(vector.length) - SCALE_BYTES;
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const steps = largest > 0 ? MAX_COMPONENT / largest : 0;
  const components = new Int16Array(buffer, at, width);
  components.fill(0);
  for (const [component, value] of vector.entries()) components[component] = Math.round(value * steps);
  new Float32Array(buffer, at + width * 2, 1)[0] = largest / MAX_COMPONENT;
}
