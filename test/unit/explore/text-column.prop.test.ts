import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TextColumn, type TextTest } from '../../../src-main/infra/dataset-store/texts/text-column.ts';

/** Few characters, so that texts often contain each other. Some characters change their length in lower case or have several bytes. */
const word = (minLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'é', 'İ', 'ß', '図', '😀', ' ', '.'), minLength, maxLength: 6 });
const test: fc.Arbitrary<TextTest> = fc.record({
  op: fc.constantFrom('contains', 'starts_with', 'ends_with', 'one_of'),
  value: fc.array(word(1), { minLength: 1, maxLength: 3 }),
});

function fits({ op, value }: TextTest, text: string): boolean {
  const [lower, expected] = [text.toLowerCase(), value.map((one) => one.toLowerCase())];
  if (op === 'contains') return expected.some((one) => lower.includes(one));
  if (op === 'starts_with') return expected.some((one) => lower.startsWith(one));
  if (op === 'ends_with') return expected.some((one) => lower.endsWith(one));
  return expected.includes(lower);
}

function matchesOf(column: TextColumn, of: TextTest, first: number): number[] {
  const found = new Set<number>();
  column.forEachMatch(of, first, (text) => found.add(text));
  return [...found].sort((a, b) => a - b);
}

it('finds the same texts as a check of each, cached or not, from any row', () => {
  const texts = fc.array(word(0), { maxLength: 30 });
  fc.assert(
    fc.property(texts, texts, test, fc.nat(40), (kept, later, of, first) => {
      const before = new TextColumn();
      for (const text of kept) before.add(text);
      const { bytes, ends } = before.kept();
      const column = TextColumn.restored(bytes, ends);
      for (const text of later) column.add(text);
      const expected = [...kept, ...later].flatMap((text, at) => (at >= first && fits(of, text) ? [at] : []));
      expect(matchesOf(column, of, first)).toEqual(expected);
    }),
  );
});

it('finds nothing by half of a character', () => {
  const column = new TextColumn();
  column.add('😀 \ufffd');
  expect(matchesOf(column, { op: 'contains', value: ['\ud83d'] }, 0)).toEqual([]);
  expect(matchesOf(column, { op: 'contains', value: ['\ud83d', '😀'] }, 0)).toEqual([0]);
});
