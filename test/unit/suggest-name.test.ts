import { expect, it } from 'vitest';
import { suggestName } from '../../src-main/infra/dataset-store/clusters/suggest-name.ts';

const TOTALS: Record<string, number> = { person: 90, dog: 10, beach: 5 };
const named = (size: number, labels: Record<string, number>, captions: string[] = []) =>
  suggestName({
    size,
    labels: Object.entries(labels).map(([name, count]) => ({ name, count })),
    totalOf: (label) => TOTALS[label] ?? 0,
    nItems: 100,
    captions,
  });

it('names a cluster by a label that most of its items and few others have', () => {
  expect(named(10, { person: 10, dog: 8, beach: 1 })).toBe('dog');
  expect(named(10, { person: 10 })).toBe('person');
  expect(named(10, { person: 9, beach: 4 })).toBe('person');
});

it('uses common words of captions otherwise', () => {
  const captions = ['A cat on a laptop', 'The black cat sleeps beside a laptop', 'Cat with toys'];
  expect(named(3, {}, captions)).toBe('cat laptop');
  expect(named(10, { dog: 2 }, captions)).toBe('cat laptop');
  expect(named(3, {}, ['A red bus', 'Two birds', 'The sea'])).toBeNull();
  expect(named(1, {}, ['A red bus'])).toBeNull();
  expect(named(2, {}, [])).toBeNull();
});
