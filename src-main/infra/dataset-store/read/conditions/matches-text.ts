import type { Condition } from '../../../../core/ports/query.ts';

type TextCondition = Condition & { name: 'folders' | 'files' | 'captions' };

/** The test of a text that is in lower case. */
export function matchesText({ op, value }: TextCondition): (text: string) => boolean {
  const wanted = value.map((one) => one.toLowerCase());
  if (op === 'one_of') {
    const all = new Set(wanted);
    return (text) => all.has(text);
  }
  if (op === 'starts_with') return (text) => wanted.some((one) => text.startsWith(one));
  if (op === 'ends_with') return (text) => wanted.some((one) => text.endsWith(one));
  return (text) => wanted.some((one) => text.includes(one));
}
