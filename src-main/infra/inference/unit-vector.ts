/** Vectors shorter than this are rounding errors of zero. */
const SMALLEST_NORM = 1e-12;

/** A copy scaled to length 1; zeros for a vector that has no direction or is not finite. */
export function unitVector(vector: Float32Array): Float32Array {
  // Loops: methods of typed arrays call a function for each number, which takes ten times as long.
  let squares = 0;
  for (let at = 0; at < vector.length; at += 1) squares += (vector[at] as number) ** 2;
  const norm = Math.sqrt(squares);
  const unit = new Float32Array(vector.length);
  if (!(norm > SMALLEST_NORM) || !Number.isFinite(norm)) return unit;
  for (let at = 0; at < vector.length; at += 1) unit[at] = (vector[at] as number) / norm;
  return unit;
}
