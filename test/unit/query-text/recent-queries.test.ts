import { describe, expect, it } from 'vitest';
import { withQuery } from '../../../src-renderer/lib/recent-queries.ts';

const WIDE = { width: { op: 'range', from: 1000 } };
const DOG = { labels: { op: 'is', value: ['dog'] } };
const query = (...filters: object[]) => JSON.stringify(filters);

describe('recent queries', () => {
  const requested = (...queries: string[]) =>
    queries
      .reduce<ReturnType<typeof withQuery>>((before, vql) => withQuery(before, 'a', vql), [])
      .map(({ vql }) => vql);

  it('are kept once each, the latest first', () => {
    expect(requested(query(DOG), query(WIDE), query(DOG))).toEqual([query(DOG), query(WIDE)]);
  });

  it('that grew filter by filter are stored as one', () => {
    expect(requested(query(WIDE), query(DOG), query(DOG, WIDE))).toEqual([query(DOG, WIDE), query(WIDE)]);
    expect(requested(query(DOG, WIDE), query(DOG))).toEqual([query(DOG), query(DOG, WIDE)]);
  });

  it('are separate for each dataset, and the oldest are deleted', () => {
    const others = withQuery(withQuery([], 'b', query(DOG)), 'a', query(DOG, WIDE));
    expect(others.map(({ dataset_id }) => dataset_id)).toEqual(['a', 'b']);
    const many = Array.from({ length: 250 }, (_, nth) => query({ files: { op: 'contains', value: [`${nth}`] } }));
    expect(requested(...many)).toHaveLength(200);
    expect(requested(...many)[0]).toBe(many[249]);
  });
});
