import { expect, it } from 'vitest';
import { countOutstanding } from '../../src-main/infra/dataset-store/explore/cut-off.ts';
import { seededRandom } from '../../src-main/infra/vectors/rows.ts';

const NOISE = { mean: 0.2, deviation: 0.03 };

/** Generates similarities of rows that do not match and of some that do. The matches lie `above` standard deviations higher. */
function search(nRows: number, nFitting: number, above = 5, shift = 0, seed = 1): number {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const all = Float32Array.from(
    { length: nRows },
    (_, row) => NOISE.mean + NOISE.deviation * (shift + (row < nFitting ? above : 0) + normal()),
  );
  const sample = all.filter((_, row) => row % Math.ceil(nRows / 500) === 0);
  return countOutstanding([...all].sort((a, b) => b - a).slice(0, 1000), sample, nRows, NOISE);
}

const seeds = Array.from({ length: 12 }, (_, at) => at + 1);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

it.each([[50], [1000], [20_000]])('shows almost none of %i images when none matches', (nRows) => {
  for (const shift of [-1, 0, 1]) {
    expect(mean(seeds.map((seed) => search(nRows, 0, 0, shift, seed)))).toBeLessThan(2);
  }
});

it.each([
  [50, 5],
  [1000, 20],
  [20_000, 300],
])('shows most matches of %i images, and few others', (nRows, nFitting) => {
  for (const shift of [-0.5, 0, 0.5]) {
    const found = mean(seeds.map((seed) => search(nRows, nFitting, 5, shift, seed)));
    expect(found / nFitting).toBeGreaterThan(0.75);
    expect(found / nFitting).toBeLessThan(1.25);
  }
});

it('shows all when nearly all match, and all of a few', () => {
  expect(search(900, 880, 6)).toBeGreaterThan(850);
  expect(search(1000, 1, 7)).toBeGreaterThan(0);
});
