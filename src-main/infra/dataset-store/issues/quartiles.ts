/** Quartiles of some values. */
export interface Quartiles {
  first: number;
  third: number;
  /** Interquartile range, not below the given floor, so that among equal values every other value is not an outlier. */
  range: number;
}

/** Returns undefined if there are fewer than `least` values. Reorders the values. */
export function quartilesOf(values: Float32Array, least: number, floor: number): Quartiles | undefined {
  if (values.length < least) return undefined;
  const at = (share: number) => select(values, Math.round(share * (values.length - 1)));
  const [first, third] = [at(0.25), at(0.75)];
  return { first, third, range: Math.max(floor, third - first) };
}

/** Returns the value at a position as if all values were sorted, at a tenth of the cost: Hoare, "Algorithm 65: Find", CACM 4 (7), 1961. */
function select(values: Float32Array, place: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = values[place] as number;
    let [low, high] = [from, to];
    while (low <= high) {
      while ((values[low] as number) < pivot) low += 1;
      while (pivot < (values[high] as number)) high -= 1;
      if (low > high) break;
      const value = values[low] as number;
      values[low] = values[high] as number;
      values[high] = value;
      low += 1;
      high -= 1;
    }
    if (high < place) from = low;
    if (place < low) to = high;
  }
  return values[place] as number;
}
