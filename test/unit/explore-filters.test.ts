import { describe, expect, it } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { readFilters } from '../../src-main/core/explore/filters.ts';
import { LabelTable } from '../../src-main/infra/dataset-store/read/label-table.ts';

function failure(input: Parameters<typeof readFilters>[0]): AppError {
  try {
    readFilters(input);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('the filters were taken');
}

describe('filters of Explore', () => {
  it('reads labels as JSON and as clients write them without quotes', () => {
    const labels = [{ op: 'one_of', labels: ['dog', 'puppy'] }];
    expect(readFilters({ labels: '["dog","puppy"]' }).labels).toEqual(labels);
    expect(readFilters({ labels: '[dog, puppy]' }).labels).toEqual(labels);
  });

  it('reads VQL items keyed by their filter, with a sibling id', () => {
    const vql = JSON.stringify([
      { id: 'a', text: { op: 'semantic', value: 'red car', threshold: 0.3 } },
      { labels: { op: 'is_not', value: ['dog'] } },
      { labels: { op: 'is', value: 'cat' } },
    ]);
    expect(readFilters({ vql })).toEqual({
      texts: [{ of: 'items', value: 'red car', max_distance: 0.7 }],
      labels: [
        { op: 'is_not', labels: ['dog'] },
        { op: 'is', labels: ['cat'] },
      ],
    });
  });

  it('takes image_caption for caption, with its largest distance', () => {
    const texts = [{ of: 'captions', value: 'a dog', max_distance: 0.5 }];
    expect(readFilters({ image_caption: 'a dog', textual_similarity_threshold: 0.5 }).texts).toEqual(texts);
  });

  it.each([
    [{ labels: 'dog' }, 'labels'],
    [{ labels: '[]' }, 'labels'],
    [{ vql: '{' }, 'vql'],
    [{ vql: '[1]' }, 'vql'],
    [{ vql: '[{"labels":{"op":"any","value":["a"]}}]' }, 'vql[0].labels.op'],
    [
      { vql: '[{"labels":{"op":"is","value":["a"]}},{"text":{"op":"semantic","value":"x","threshold":2}}]' },
      'vql[1].text.threshold',
    ],
  ])('refuses %j and names %s', (input, place) => {
    const error = failure(input);
    expect(error.code).toBe('invalid_input');
    expect(error.message).toContain(place);
  });

  it('says which filters it does not know', () => {
    expect(failure({ vql: '[{"issues":{"op":"issue","value":"blur","mode":"in"}}]' }).code).toBe('not_implemented');
  });
});

describe('LabelTable', () => {
  const table = new LabelTable(4, [
    { row: 0, label: 'cat' },
    { row: 0, label: 'dog' },
    { row: 1, label: 'dog' },
    { row: 3, label: 'owl' },
  ]);
  it.each([
    ['is', ['cat', 'dog'], [1, 0, 0, 0]],
    ['is', ['dog'], [1, 1, 0, 0]],
    ['is', ['dog', 'fish'], [0, 0, 0, 0]],
    ['is_not', ['cat', 'dog'], [0, 1, 1, 1]],
    ['one_of', ['cat', 'owl', 'fish'], [1, 0, 0, 1]],
    ['not_one_of', ['dog'], [0, 0, 1, 1]],
    ['one_of', ['Unlabeled', 'owl'], [0, 0, 1, 1]],
    ['is', ['Unlabeled'], [0, 0, 1, 0]],
    ['not_one_of', ['Unlabeled'], [1, 1, 0, 1]],
  ] as const)('%s %j', (op, labels, mask) => {
    expect([...table.matching({ op, labels })]).toEqual([...mask]);
  });
});
