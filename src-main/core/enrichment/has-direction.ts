/** False for what an encoder gives that can make nothing of a text or an image. */
export function hasDirection(vector: Float32Array): boolean {
  return vector.some((value) => value !== 0);
}
