/**
 * Accumulates one equation of a weighted least-squares fit: left += weight · terms · termsᵀ, right += weight · terms · value.
 * @param left Square matrix with one row per term.
 */
export function accumulate(
  left: Float64Array,
  right: Float64Array,
  weight: number,
  terms: ArrayLike<number>,
  value: number,
): void {
  const n = right.length;
  for (let row = 0; row < n; row += 1) {
    const scaled = weight * (terms[row] as number);
    if (scaled === 0) continue;
    right[row] = (right[row] as number) + scaled * value;
    for (let column = 0; column < n; column += 1)
      left[row * n + column] = (left[row * n + column] as number) + scaled * (terms[column] as number);
  }
}

/** Solves linear equations whose matrix is positive definite (Gaussian elimination). Changes its parameters. */
export function solve(left: Float64Array, right: Float64Array): Float64Array {
  const n = right.length;
  const cell = (row: number, column: number) => left[row * n + column] as number;
  for (let pivot = 0; pivot < n; pivot += 1) {
    for (let row = pivot + 1; row < n; row += 1) {
      const factor = cell(row, pivot) / cell(pivot, pivot);
      for (let column = pivot; column < n; column += 1)
        left[row * n + column] = cell(row, column) - factor * cell(pivot, column);
      right[row] = (right[row] as number) - factor * (right[pivot] as number);
    }
  }
  const solved = new Float64Array(n);
  for (let row = n - 1; row >= 0; row -= 1) {
    let value = right[row] as number;
    for (let column = row + 1; column < n; column += 1) value -= cell(row, column) * (solved[column] as number);
    solved[row] = value / cell(row, row);
  }
  return solved;
}
