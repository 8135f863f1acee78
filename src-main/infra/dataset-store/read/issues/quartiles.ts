/** Where the middle half of some values lies. */
export interface Quartiles {
  first: number;
  third: number;
  /** Between them; at least the given floor, so that equal values do not make every other one odd. */
  range: number;
}

/** Undefined of too few values to say what is usual. Sorts them. */
export function quartilesOf(values: Float32Array, least: number, floor: number): Quartiles | undefined {
  if (values.length < least) return undefined;
  values.sort();
  const at = (share: number) => values[Math.round(share * (values.length - 1))] as number;
  const [first, third] = [at(0.25), at(0.75)];
  return { first, third, range: Math.max(floor, third - first) };
}
