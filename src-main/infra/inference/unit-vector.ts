/** Vectors shorter than this are rounding errors of zero. */
const SMALLEST_NORM = 1e-12;

/** A copy scaled to length 1; zeros for a vector that has no direction or is not finite. */
export function unitVector(vector: Float32Array): Float32Array {
  const unit = new Float32Array(vector.length);
  scaleToUnit(vector, unit);
  return unit;
}

/** Writes a vector with length 1 to `unit`, unless the vector has no direction or is not finite. @returns Whether it did. */
export function scaleToUnit(vector: Float32Array, unit: Float32Array): boolean {
  // Loops: methods of typed arrays call a function for each number, which takes ten times as long.
  let squares = 0;
  for (let at = 0; at < vector.length; at += 1) squares += (vector[at] as number) ** 2;
  const norm = Math.sqrt(squares);
  if (!(norm > SMALLEST_NORM) || !Number.isFinite(norm)) return false;
  for (let at = 0; at < vector.length; at += 1) unit[at] = (vector[at] as number) / norm;
  return true;
}
