import { expect, it } from 'vitest';
import { suggestName } from '../../src-main/infra/dataset-store/clusters/suggest-name.ts';

const TOTALS: Record<string, number> = { person: 90, dog: 10, beach: 5 };
const named = (
  size: number,
  labels: Record<string, number>,
  captions: string[] = [],
  guesses: Record<string, number>[] = [],
) =>
  suggestName({
    size,
    labels: Object.entries(labels).map(([name, count]) => ({ name, count })),
    totalOf: (label) => TOTALS[label] ?? 0,
    nItems: 100,
    captions,
    guesses: () => guesses.flatMap((of) => Object.entries(of).map(([label, confidence]) => ({ label, confidence }))),
    nSampled: guesses.length,
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

it('falls back on the word that taggers find most likely for its items', () => {
  const guesses = [{ beach: 0.15, person: 0.16 }, { beach: 0.12 }, { person: 0.1, tree: 0.06 }];
  expect(named(3, {}, [], guesses)).toBe('beach');
  expect(named(3, { dog: 2 }, [], guesses)).toBe('dog');
  expect(named(3, {}, [], [{ beach: 0.06 }, {}, {}])).toBeNull();
});
