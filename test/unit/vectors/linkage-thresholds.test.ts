import { expect, it } from 'vitest';
import { buildNeighborGraph } from '../../../src-main/infra/vectors/built-in/build-graph.ts';
import { linkageThresholdsOf } from '../../../src-main/infra/vectors/clustering/linkage-thresholds.ts';
import { HeldVectors } from '../../../src-main/infra/vectors/row-vectors.ts';
import { rowsWhere } from '../../../src-main/infra/vectors/rows.ts';
import { bunches } from './make-vectors.ts';

const DIM = 16;

async function thresholdsOf(vectors: Float32Array, finest?: number): Promise<number[]> {
  const count = vectors.length / DIM;
  const graph = await buildNeighborGraph({
    vectors: new HeldVectors(vectors, DIM),
    count,
    k: 8,
    dead: new Set(),
    threads: 1,
  });
  return linkageThresholdsOf(
    graph,
    new HeldVectors(vectors, DIM),
    rowsWhere(count, () => true),
    finest,
  );
}

it.each([
  ['tight bunches', bunches({ count: 300, dim: DIM, groups: 10, spread: 0.1, seed: 1 })],
  ['loose bunches', bunches({ count: 300, dim: DIM, groups: 10, spread: 0.8, seed: 2 })],
  ['copies of one vector', new Float32Array(40 * DIM).map((_, at) => (at % DIM === 0 ? 1 : 0))],
  ['one vector', new Float32Array(DIM).map((_, at) => (at === 0 ? 1 : 0))],
])('gives strictly descending linkage thresholds for %s, the same each time', async (_what, vectors) => {
  const thresholds = await thresholdsOf(vectors);
  expect(thresholds.length).toBeGreaterThan(5);
  for (let at = 1; at < thresholds.length; at += 1) expect(thresholds[at]).toBeLessThan(thresholds[at - 1] ?? 0);
  expect(thresholds[0]).toBeGreaterThanOrEqual(0.9);
  expect(thresholds[0]).toBeLessThanOrEqual(0.98);
  expect(await thresholdsOf(vectors)).toEqual(thresholds);
});

it('puts the lowest above chance similarity, so that dissimilar groups stay separate', async () => {
  const thresholds = await thresholdsOf(bunches({ count: 300, dim: DIM, groups: 10, spread: 0.1, seed: 3 }));
  // Random directions in 16 dimensions have cosines around 0 with a standard deviation of about 0.25.
  expect(thresholds.at(-1)).toBeGreaterThan(0.15);
});

it('keeps a given finest threshold, and finds the others below it', async () => {
  const vectors = bunches({ count: 300, dim: DIM, groups: 10, spread: 0.8, seed: 2 });
  const [finest, ...others] = await thresholdsOf(vectors, 0.925);
  expect(finest).toBe(0.925);
  expect(others.at(-1)).toBeCloseTo((await thresholdsOf(vectors)).at(-1) ?? 0, 6);
});
