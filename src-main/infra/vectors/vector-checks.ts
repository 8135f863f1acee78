/** @throws Error for vectors of another dimension, or with a component that is not finite. */
export function assertVectors(vectors: Float32Array, count: number, dim: number): void {
  if (vectors.length !== count * dim) {
    throw new Error(`${vectors.length} numbers are not ${count} vectors of ${dim} dimensions`);
  }
  // 0 times a finite number is 0, 0 times any other value is NaN: one sum finds all.
  let sum = 0;
  for (let at = 0; at < vectors.length; at += 1) sum += (vectors[at] as number) * 0;
  if (sum !== 0) throw new Error('a vector has components that are not finite numbers');
}
