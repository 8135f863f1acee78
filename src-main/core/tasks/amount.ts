import { type Message, type MessageCode, message, wholeNumber } from '../../contract/messages.ts';

/** A message about a number of things, such as `1 item` or `12,480 items`: `count` selects the plural, `n` is shown. */
export function counted(code: MessageCode, n: number): Message {
  return { code, params: { count: n, n: wholeNumber(n) } };
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
