import { type Message, type MessageCode, message } from '../../contract/messages.ts';

/** Formats a whole number for task messages, such as `12,480`. Written by hand, because loading the locales takes 20 ms per start. */
export function amount(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A message about a number of things, such as `1 item` or `12,480 items`: `count` selects the plural, `n` is shown. */
export function counted(code: MessageCode, n: number): Message {
  return { code, params: { count: n, n: amount(n) } };
}

/** A message and those after it, separated by semicolons; false for what does not apply. */
export function sentences(first: Message, ...others: (Message | false)[]): Message {
  const parts = [first, ...others].filter((one) => one !== false);
  return parts.length === 1 ? first : message('sentences', { parts });
}

/** Megabytes, rounded up, so that a few bytes do not count as zero. */
export function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}
