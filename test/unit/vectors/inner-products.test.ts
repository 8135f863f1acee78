import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InnerProducts } from '../../../src-main/infra/vectors/neighbors/inner-products.ts';

/** Products of vectors of one component are whole numbers, of which many are equal. */
const component = fc.integer({ min: -3, max: 3 });
const components = (most: number) => fc.array(component, { minLength: 1, maxLength: most });

let products: InnerProducts;
beforeAll(async () => {
  products = await InnerProducts.open(1, 1);
});
afterAll(() => products.close());

/** Indexes of scores, best first, equal ones in their order. */
function ordered(scores: readonly number[]): number[] {
  return [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
}

it('the best products are selected in their order, for any number of vectors', async () => {
  await fc.assert(
    fc.asyncProperty(components(4), components(70), fc.integer({ min: 1, max: 30 }), async (queries, vectors, k) => {
      await products.of(Float32Array.from(queries), Float32Array.from(vectors));
      for (const [nth, query] of queries.entries()) {
        const scores = vectors.map((vector) => query * vector);
        const best = products.best(nth, k);
        const expected = ordered(scores).slice(0, k);
        expect([...best.places]).toEqual(expected);
        expect([...best.products].map((score) => score + 0)).toEqual(expected.map((at) => (scores[at] as number) + 0));
      }
    }),
    { seed: 4 },
  );
});

it('products from a bar on are selected, and those from the bar of their vector on', async () => {
  const bars = fc.array(fc.integer({ min: -9, max: 10 }), { minLength: 70, maxLength: 70 });
  await fc.assert(
    fc.asyncProperty(
      components(4),
      components(70),
      bars,
      fc.integer({ min: -9, max: 10 }),
      async (queries, vectors, own, bar) => {
        await products.of(Float32Array.from(queries), Float32Array.from(vectors));
        for (const [nth, query] of queries.entries()) {
          products.bars.fill(Number.POSITIVE_INFINITY);
          const scores = vectors.map((vector) => query * vector);
          const reaches = (least: (at: number) => number) =>
            [...scores.keys()].filter((at) => (scores[at] as number) >= least(at));
          expect([...products.from(nth, bar)]).toEqual(reaches(() => bar));
          products.bars.set(own.slice(0, vectors.length));
          expect([...products.from(nth, bar)]).toEqual(reaches((at) => Math.min(bar, own[at] as number)));
          for (const at of scores.keys()) expect(products.at(nth, at) + 0).toBe((scores[at] as number) + 0);
        }
      },
    ),
    { seed: 4 },
  );
});
