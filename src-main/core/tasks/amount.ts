const english = new Intl.NumberFormat('en-US');

/** A number as messages of tasks write it: `12,480`. Messages are English, whatever the machine's language. */
export function amount(n: number): string {
  return english.format(n);
}

/** So many of something: `1 item`, `12,480 items`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${amount(n)} ${n === 1 ? one : many}`;
}

/** Bytes as tasks count them, begun ones too: something of a few bytes is not nothing. */
export function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}
