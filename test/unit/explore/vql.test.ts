import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-main/contract/errors.ts';
import { parseVql } from '../../../src-main/contract/vql/parse-vql.ts';
import { type QueryParameters, readQuery } from '../../../src-main/core/explore/read-query.ts';

const ID = '0b0e7a52-6a3e-4f37-9d4e-0a2f6f9d1c11';

function failure(input: QueryParameters): AppError {
  try {
    readQuery(input);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('the filters were taken');
}

describe('VQL', () => {
  it('reads items keyed by their filter, and ignores a sibling id', () => {
    const vql = [
      { id: 'a', text: { op: 'semantic', value: 'red car', threshold: 0.3 } },
      { labels: { op: 'is_not', value: ['dog'] } },
      { labels: { op: 'is', value: ' cat ' } },
      { issues: { op: 'issue', value: 'blur' } },
      { created: { op: 'range', from: '2026-01-02', to: '2026-01-03T04:05:06+02:00' } },
    ];
    expect(parseVql(JSON.stringify(vql))).toEqual([
      { name: 'text', body: { op: 'semantic', value: 'red car', threshold: 0.3 } },
      { name: 'labels', body: { op: 'is_not', value: ['dog'] } },
      { name: 'labels', body: { op: 'is', value: ['cat'] } },
      { name: 'issues', body: { op: 'issue', value: 'blur', mode: 'in' } },
      {
        name: 'created',
        body: { op: 'range', from: '2026-01-02T00:00:00.000Z', to: '2026-01-03T02:05:06.000Z' },
      },
    ]);
  });

  it.each([
    ['{', 'vql', 'JSON array'],
    ['{"labels":{}}', 'vql', 'JSON array'],
    ['[1]', 'vql[0]', 'an object'],
    ['[{}]', 'vql[0]', 'one of text, labels'],
    ['[{"id":"a"}]', 'vql[0]', 'one of text, labels'],
    ['[{"__proto__":{"op":"is"}}]', 'vql[0].__proto__', 'unknown filter'],
    ['[{"colour":{"op":"is","value":"red"}}]', 'vql[0].colour', 'unknown filter'],
    ['[{"labels":null}]', 'vql[0].labels', 'object'],
    ['[{"labels":{"op":"any","value":["a"]}}]', 'vql[0].labels.op', '"is_not"'],
    ['[{"labels":{"op":"is","value":[]}}]', 'vql[0].labels.value', '1'],
    ['[{"labels":{"op":"is","value":["a",3]}}]', 'vql[0].labels.value.1', 'string'],
    [
      '[{"text":{"op":"fts","value":"a"}},{"text":{"op":"semantic","value":"x","threshold":2}}]',
      'vql[1].text.threshold',
      '1',
    ],
    ['[{"tags":{"op":"is","value":["nonsense"]}}]', 'vql[0].tags.value.0', 'untagged'],
    ['[{"issues":{"op":"issue","value":"ugly"}}]', 'vql[0].issues.value', '"blur"'],
    ['[{"width":{"op":"range"}}]', 'vql[0].width', 'from'],
    ['[{"width":{"op":"range","from":9,"to":3}}]', 'vql[0].width', 'at most'],
    ['[{"created":{"op":"range","from":"yesterday"}}]', 'vql[0].created.from', ''],
    ['[{"captions":{"op":"like","value":"x"}}]', 'vql[0].captions', 'contains'],
    ['[{"uniqueness":{"op":"uniqueness","value":"high"}}]', 'vql[0].uniqueness.value', 'number'],
  ])('refuses %s and names %s', (vql, place, expected) => {
    const error = failure({ vql });
    expect(error.code).toBe('invalid_input');
    expect(error.message.startsWith(`${place}: `)).toBe(true);
    expect(error.message).toContain(expected);
    expect(Object.keys(error.fields ?? {})).toEqual([place]);
  });
});

describe('parameters of Explore', () => {
  it('become filters of the same kinds', () => {
    expect(
      readQuery({
        anchor_media_id: ID,
        anchor_type: 'MEDIA',
        image_caption: 'a dog',
        textual_similarity_threshold: 0.5,
        labels: '["dog","puppy"]',
        tags: ID,
        duplicate_threshold: 0.9,
        vql: '[{"height":{"op":"range","from":600}}]',
      }),
    ).toEqual([
      { name: 'similarity', body: { op: 'media', value: ID } },
      { name: 'captions', body: { op: 'semantic', value: 'a dog', below: 0.5 } },
      { name: 'labels', body: { op: 'one_of', value: ['dog', 'puppy'] } },
      { name: 'tags', body: { op: 'is', value: [ID] } },
      { name: 'duplicates', body: { op: 'duplicates', value: 0.9 } },
      { name: 'height', body: { op: 'range', from: 600 } },
    ]);
  });

  it('are read as clients write them without quotes', () => {
    expect(readQuery({ labels: '[dog, puppy]' })).toEqual(readQuery({ labels: '["dog","puppy"]' }));
    expect(readQuery({ tags: 'untagged' })).toEqual(readQuery({ tags: '["untagged"]' }));
  });

  it.each([
    [{ labels: 'dog' }, 'labels'],
    [{ labels: '[]' }, 'labels'],
    [{ labels: '[1]' }, 'labels'],
    [{ tags: '[]' }, 'tags'],
    [{ tags: 'nonsense' }, 'tags'],
    [{ caption: ' ' }, 'caption'],
  ])('refuses %j and names %s', (input, place) => {
    expect(failure(input)).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(place) });
  });

  it.each([[{ anchor_media_id: ID }], [{ anchor_type: 'MEDIA' as const }]])(
    'needs both halves of an anchor: %j',
    (input) => {
      expect(failure(input).code).toBe('invalid_request');
    },
  );
});
