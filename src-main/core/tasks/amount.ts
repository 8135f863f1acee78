const english = new Intl.NumberFormat('en-US');

/** A number as messages of tasks write it: `12,480`. Messages are English, whatever the machine's language. */
export function amount(n: number): string {
  return english.format(n);
}
