import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { parseWords } from '../../src-main/core/enrichment/parse-words.ts';
import type { WordQuery } from '../../src-main/core/ports/query.ts';

/** Formats a query with all brackets written out. */
function shown(query: WordQuery): string {
  if (query.op === 'phrase') return `${query.text}${query.is_prefix ? '*' : ''}`;
  if (query.op === 'not') return `-${shown(query.of)}`;
  return `(${query.of.map(shown).join(query.op === 'and' ? ' & ' : ' | ')})`;
}

describe('a search for words', () => {
  it.each([
    ['dog', 'dog'],
    ['dog cat', '(dog & cat)'],
    ['dog AND cat and owl + fox', '(dog & cat & owl & fox)'],
    ['dog cat OR owl', '((dog & cat) | owl)'],
    ['(dog OR cat) -owl', '((dog | cat) & -owl)'],
    ['-(dog cat)', '-(dog & cat)'],
    ['"red car" -"blue car"', '(red car & -blue car)'],
    ['IMG_00*', 'IMG_00*'],
    ['t-shirt', 't-shirt'],
    ['a dog on the beach', '(dog & beach)'],
    ['"a dog"', 'a dog'],
    ['the', 'the'],
    ['dog -the', '(dog & -the)'],
    ['0b0e7a52-6a3e-4f37-9d4e-0a2f6f9d1c11', '0b0e7a526a3e4f379d4e0a2f6f9d1c11'],
  ])('%s reads as %s', (text, query) => expect(shown(parseWords(text))).toBe(query));

  it.each([
    ['"red car', 'red car'],
    ['dog)', 'dog'],
    ['(dog', 'dog'],
    ['AND OR dog OR', 'dog'],
    ['dog - * !!! ()', 'dog'],
    [') dog ( ) cat', '(dog & cat)'],
    ['!!!', '()'],
    ['', '()'],
  ])('%s is read as %s', (text, query) => expect(shown(parseWords(text))).toBe(query));

  it('refuses too many words and brackets', () => {
    const deep = `${'(x OR '.repeat(50)}y${')'.repeat(50)}`;
    for (const text of [deep, 'dog '.repeat(101)]) expect(() => parseWords(text)).toThrow(AppError);
  });

  it('reads or refuses any text', () => {
    const piece = fc.oneof(
      fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }),
      fc.constantFrom('(', ')', '"', '-', '+', ' AND ', ' OR ', '*', 'dog'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        try {
          parseWords(pieces.join(''));
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_input' });
        }
      }),
    );
  });
});
