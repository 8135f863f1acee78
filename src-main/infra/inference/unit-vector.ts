/** Vectors shorter than this are rounding errors of zero. */
const SMALLEST_NORM = 1e-12;

/** A copy scaled to length 1; zeros for a vector that has no direction or is not finite. */
export function unitVector(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!(norm > SMALLEST_NORM) || !Number.isFinite(norm)) return new Float32Array(vector.length);
  return vector.map((value) => value / norm);
}
