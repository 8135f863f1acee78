/** Formats a whole number for task messages, such as `12,480`. Written by hand, because loading the locales takes 20 ms per start. */
export function amount(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a count with its noun, such as `1 item` or `12,480 items`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${amount(n)} ${n === 1 ? one : many}`;
}

/** Megabytes, rounded up, so that a few bytes do not count as zero. */
export function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}
