import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseVql } from '../../../src-main/contract/vql/parse-vql.ts';
import { checkQuery, rangeOfPlace } from '../../../src-renderer/features/explore/query-text/check-query.ts';
import { outlineJson } from '../../../src-renderer/features/explore/query-text/json-outline.ts';
import { filterNames } from '../../../src-renderer/features/explore/query-text/query-choices.ts';
import { suggest } from '../../../src-renderer/features/explore/query-text/suggest.ts';

const VALUES = {
  'labels.value': [
    { value: 'dog', count: 7 },
    { value: 'hot dog', count: 2 },
    { value: 'cat', count: 3 },
  ],
  'tags.value': [{ value: '0b0e7a52-6a3e-4f37-9d4e-0a2f6f9d1c11', name: 'checked', count: 4 }],
};

/** Returns suggestions at the caret, which is marked with `|`. */
function at(marked: string) {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = suggest(text, caret, VALUES);
  return {
    texts: found.map((one) => one.text),
    /** The query after the first suggestion is accepted. */
    taken: found.slice(0, 1).map(({ start, end, insert, caret: next }) => {
      const whole = text.slice(0, start) + insert + text.slice(end);
      return `${whole.slice(0, next)}|${whole.slice(next)}`;
    })[0],
  };
}

const marked = (text: string, { start, end }: { start: number; end: number }) => text.slice(start, end);

describe('completion of queries', () => {
  it.each(['|', '[|]', '[|', '[{|}]', '[{"|"}]', '[{"labels":{"op":"is","value":["a"]}},|]'])(
    'offers filters at %s',
    (text) => expect(at(text).texts).toContain('labels'),
  );

  it.each([
    ['|', 'labels'],
    ['lab|', 'labels'],
  ])('offers a whole query for an empty text: %s', (text, name) => {
    const { taken } = at(text === '|' ? 'labels|' : text);
    expect(name).toBe('labels');
    expect(taken).toBe('[{"labels":{"op":"is","value":["|"]}}]');
  });

  it('gives each filter its required keys', () => {
    expect(at('[tag|]').taken).toBe('[{"tags":{"op":"is","value":["|"]}}]');
    expect(at('[{"wid|"}]').taken).toBe('[{"width":{"op":"range","from":|}}]');
    expect(at('[issu|]').taken).toBe('[{"issues":{"op":"issue","value":"|"}}]');
    expect(at('[uniq|]').taken).toBe('[{"uniqueness":{"op":"uniqueness","value":|}}]');
  });

  it('offers operators, keys and values of a filter, those with the typed prefix first', () => {
    expect(at('[{"labels":{"op":"|"}}]').texts).toEqual(['is', 'is_not', 'one_of', 'not_one_of']);
    expect(at('[{"text":{"op":"fts",|}}]').texts).toEqual(['value', 'threshold']);
    expect(at('[{"labels":{"op":"is","value":["do|"]}}]').texts).toEqual(['dog', 'hot dog']);
    expect(at('[{"labels":{"op":"is","value":["|').texts).toEqual(['dog', 'hot dog', 'cat']);
    expect(at('[{"issues":{"op":"issue","value":"bl|"}}]').texts[0]).toBe('blur');
    expect(at('[{"media_type":{"value":["|"]}}]').texts).toEqual(['image', 'video_frame']);
  });

  it('writes the id of a tag that is found by its name', () => {
    expect(at('[{"tags":{"op":"is","value":["che|"]}}]').taken).toBe(
      '[{"tags":{"op":"is","value":["0b0e7a52-6a3e-4f37-9d4e-0a2f6f9d1c11"|]}}]',
    );
  });

  it('puts a comma between two entries', () => {
    expect(at('[{"labels":{"op":"is","value":["cat"|]}}]').taken).toBe(
      '[{"labels":{"op":"is","value":["cat","dog"|]}}]',
    );
    expect(at('[{"labels":{"op":"is","value":["cat"]}}|]').taken).toContain('}},{"text":');
  });

  it('offers nothing twice in a list, and nothing if there is no choice', () => {
    expect(at('[{"labels":{"op":"is","value":["dog",|]}}]').texts).toEqual(['hot dog', 'cat']);
    expect(at('[{"width":{"op":"range","from":1|}}]').texts).toEqual([]);
    expect(at('[{"nonsense":{"|"}}]').texts).toEqual([]);
  });

  it('completes every filter except for its value', () => {
    for (const name of filterNames()) {
      const { taken = '' } = at(`[${name}|]`);
      const outline = outlineJson(taken.replace('|', '1'));
      expect(outline.wrongAt, name).toBeUndefined();
    }
  });

  it('handles any text without failure', () => {
    const piece = fc.constantFrom('[', ']', '{', '}', '"', ',', ':', 'a', '1', ' ', '\\', '\n', 'labels', '"op"');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(60), (pieces, caret) => {
        const text = pieces.join('');
        suggest(text, Math.min(caret, text.length), VALUES);
        const fault = checkQuery(text);
        const isQuery = (() => {
          try {
            parseVql(text);
            return true;
          } catch {
            return false;
          }
        })();
        expect(fault === undefined).toBe(isQuery);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts the same JSON as JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), (json) => outlineJson(json).wrongAt === undefined),
      { numRuns: 500 },
    );
  });
});

describe('an error of a query', () => {
  it.each([
    ['[{"labels":{"op":"any","value":["a"]}}]', '"any"'],
    ['[{"labels":{"op":"is","value":["a",3]}}]', '3'],
    ['[{"labels":{"op":"is"}}]', '"labels"'],
    ['[{"text":{"op":"fts","value":"a"}},{"colour":{}}]', '"colour"'],
    ['[{"width":{"op":"range"}}]', '"width"'],
    ['[{"labels":{"op":"is","value":["a"]}},]', ']'],
    ['[{"labels" {}}]', '{'],
    ['{}', '{}'],
  ])('is marked in %s', (text, part) => {
    const fault = checkQuery(text);
    expect(fault && marked(text, fault)).toBe(part);
  });

  it('is marked at the position that an answer names', () => {
    const text = '[{"id":"x","tags":{"op":"is","value":["a", "b"]}}]';
    expect(marked(text, rangeOfPlace(text, 'vql[0].tags.value.1'))).toBe('"b"');
    expect(marked(text, rangeOfPlace(text, 'vql[0].tags.nonsense'))).toBe('"tags"');
    expect(marked(text, rangeOfPlace(text, 'vql[7]'))).toBe(text);
  });
});
