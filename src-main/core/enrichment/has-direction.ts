/** Whether a vector is not zero. Encoders return a zero vector for a text or image that they cannot encode. */
export function hasDirection(vector: Float32Array): boolean {
  return vector.some((value) => value !== 0);
}
