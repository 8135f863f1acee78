/** A whole number as messages of tasks write it: `12,480`. To load the locales for it would make each start 20 ms longer. */
export function amount(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** So many of something: `1 item`, `12,480 items`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${amount(n)} ${n === 1 ? one : many}`;
}

/** Bytes as tasks count them, begun ones too: something of a few bytes is not nothing. */
export function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}
